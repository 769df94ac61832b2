/** Style of the page: colours for light and dark with a contrast of at least 4.5 to 1 (WCAG AA), and what differs on paper. */
export const PAGE_STYLE = `
:root{--bg:#fff;--fg:#1b1f24;--soft:#57606a;--edge:#d0d7de;--loss-bg:#ffebe9;--loss:#a40e26;--link:#0550ae}
@media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--soft:#9da7b1;--edge:#3d444d;--loss-bg:#3b1219;--loss:#ffb1af;--link:#79c0ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.4rem}h2{font-size:1.15rem;margin:1.5rem 0 .5rem}h3{font-size:1rem;margin:1rem 0 .25rem}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-100rem}.skip:focus{position:static}
section{border-top:1px solid var(--edge);content-visibility:auto;contain-intrinsic-size:auto 40rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}
caption{text-align:left;font-weight:bold;padding:.25rem 0}
th,td{border:1px solid var(--edge);padding:.25rem .5rem;text-align:left;vertical-align:top}
th[scope=row]{font-weight:normal}
.verdict{font-weight:normal;border:1px solid currentColor;border-radius:1rem;padding:0 .5rem;font-size:.9rem}
.v-deletes .verdict,.v-replaces-address .verdict,.v-replaces-listener .verdict,.v-interrupts .verdict,.loss{color:var(--loss)}
.loss{background:var(--loss-bg);border-left:.4rem solid var(--loss);padding:.5rem 1rem}
.scroll{overflow-x:auto}
summary{cursor:pointer;padding:.25rem 0}
.quiet,.legend{columns:14rem}
.create th::before{content:"+ "}.update th::before{content:"~ "}.replace th::before{content:"± "}.delete th::before{content:"- "}
footer{border-top:1px solid var(--edge);color:var(--soft);font-size:.9rem}
@media print{body{max-width:none;font-size:11px}section{break-inside:avoid-page;content-visibility:visible}details::details-content{content-visibility:visible;block-size:auto}.scroll{overflow:visible}.scroll svg{max-width:100%;height:auto}.skip{display:none}}
`.trim();
