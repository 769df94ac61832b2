/** A report as one page that needs no network: light and dark, on paper, by keyboard and with a screen reader. */

import type { Finding, GroupReport, Loss, Report, SubjectReport } from "../model";
import * as words from "../words";
import { PAGE_STYLE } from "./style";
import { drawSubject, escapeXml, PICTURE_STYLE } from "./svg";

/** Backends of a group that have a row; the rest is counted. */
const LISTED = 40;

/** Opens all details on paper, where nothing can be clicked. */
const PRINT = `addEventListener("beforeprint",()=>{for(const d of document.querySelectorAll("details"))d.open=true})`;

/** The report as a page. Services without changes are listed by name, so that the page stays small. */
export function renderHtml(report: Report): string {
    const [loud, quiet] = [report.subjects.filter((one) => !words.isQuiet(one)), report.subjects.filter(words.isQuiet)];
    const title = escapeXml(words.headline(report));
    return [
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title><style>${PAGE_STYLE}${PICTURE_STYLE}</style></head>`,
        `<body><a class="skip" href="#services">Skip to the Services</a><header><h1>${title}</h1>`,
        ...report.losses.map(loss),
        ...words.caveats(report).map((text) => `<p>${escapeXml(text)}</p>`),
        `</header><main id="services" tabindex="-1">`,
        overview(loud),
        ...loud.map(section),
        quiet.length === 0
            ? ""
            : `<section><h2>Unchanged</h2><ul class="quiet">${quiet.map(({ subject }) => `<li>${escapeXml(subject)}</li>`).join("")}</ul></section>`,
        report.findings.length === 0
            ? ""
            : `<section><h2>Findings that belong to no Service</h2>${findings(report.findings)}</section>`,
        `</main><footer><h2>Signs</h2>${legend()}</footer><script>${PRINT}</script></body></html>\n`,
    ]
        .filter((part) => part !== "")
        .join("\n");
}

const loss = ({ subject, address, cause, remedy }: Loss): string =>
    `<p class="loss" role="alert"><strong>Public address released: ${escapeXml(address)}</strong> of ${escapeXml(subject)}: ${escapeXml(cause)}.<br>Remedy: ${escapeXml(remedy)}.</p>`;

function overview(loud: readonly SubjectReport[]): string {
    if (loud.length === 0) return "";
    const rows = loud.map((one, index) => {
        const { subject, loadBalancer, notices } = one;
        const [first] = notices;
        const noticed = first === undefined ? "nothing" : `${first.effect} (${first.duration})`;
        const address = loadBalancer === null ? "" : words.describeAddress(loadBalancer);
        return `<tr><th scope="row"><a href="#s${index}">${escapeXml(subject)}</a></th>${[words.describeVerdict(one), address, noticed].map(cell).join("")}</tr>`;
    });
    return `<table><caption>What changes, the gravest first</caption><thead><tr>${["Service", "Verdict", "Address", "Clients notice"].map(heading).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

const cell = (text: string): string => `<td>${escapeXml(text)}</td>`;
const heading = (text: string): string => `<th scope="col">${text}</th>`;

function section(subject: SubjectReport, index: number): string {
    const { notices, userManaged, billing, groups, verdict } = subject;
    const parts = [
        titled(
            "Clients notice",
            notices.map(({ about, effect, duration }) => `${about}: ${effect} (${duration})`),
        ),
        // A wide picture scrolls by itself, for which it has to be reached by keyboard.
        `<div class="scroll" tabindex="0" role="group" aria-label="Picture of ${escapeXml(subject.subject)}">${drawSubject(subject)}</div>`,
        changes(subject),
        ...groups.map(groupTable),
        titled("User-managed on the instance", userManaged),
        titled("Billing", billing.map(words.describeBilling)),
        subject.findings.length === 0 ? "" : `<h3>Findings</h3>${findings(subject.findings)}`,
    ];
    return `<section id="s${index}" class="v-${verdict}"><h2>${escapeXml(subject.subject)} <span class="verdict">${words.describeVerdict(subject)}</span></h2>${parts.join("")}</section>`;
}

/** Attributes that change, of all objects. */
function changes({ loadBalancer, listeners, groups, others }: SubjectReport): string {
    const rows = [
        ...(loadBalancer?.fields ?? []).map((field) => ({ object: "load balancer", ...field })),
        ...listeners.flatMap((listener) =>
            listener.fields.map((field) => ({ object: `listener ${words.listenerText(listener)}`, ...field })),
        ),
        ...groups.flatMap((group) => group.fields.map((field) => ({ object: `server group ${group.key}`, ...field }))),
        ...others.flatMap((other) => {
            const object = `${other.noun} ${other.name}`;
            const whole = { object, field: words.CHANGE_WORDS[other.change], before: "", after: "" };
            return other.fields.length === 0 ? [whole] : other.fields.map((field) => ({ object, ...field }));
        }),
    ].map(
        ({ object, field, before, after }) =>
            `<tr><th scope="row">${escapeXml(object)}</th>${[field, before ?? "not set", after ?? "not set"].map((text) => cell(words.shorten(text))).join("")}</tr>`,
    );
    if (rows.length === 0) return "";
    return `<details><summary>Attributes that change (${rows.length})</summary><table><thead><tr>${["Object", "Attribute", "Before", "After"].map(heading).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></details>`;
}

function groupTable(group: GroupReport): string {
    const { shown, folded } = words.foldBackends(group.backends, LISTED);
    const rows = shown.map(
        (one) =>
            `<tr class="${one.change}"><th scope="row">${escapeXml(one.key)}</th>${[
                words.CHANGE_WORDS[one.change],
                words.arrow(one.before?.weight, one.after?.weight),
                words.arrow(one.before?.share, one.after?.share),
            ]
                .map(cell)
                .join("")}</tr>`,
    );
    const more = folded.length === 0 ? "" : `<tr><td colspan="4">${escapeXml(words.describeFolded(folded))}</td></tr>`;
    const changing = group.backends.filter(({ change }) => change !== "same").length;
    const backends = words.count(group.backends.length, "backend");
    const state =
        group.change === "same" && changing > 0
            ? `${changing} of ${backends} ${changing === 1 ? "changes" : "change"}`
            : `${words.CHANGE_WORDS[group.change]}, ${backends}`;
    const summary = `${escapeXml(words.describeGroup(group))}: ${state}`;
    if (rows.length === 0) return `<p>${summary}</p>`;
    return `<details><summary>${summary}</summary><table><thead><tr>${["Backend", "Change", "Weight", "% of new connections"].map(heading).join("")}</tr></thead><tbody>${rows.join("")}${more}</tbody></table></details>`;
}

const titled = (title: string, items: readonly string[]): string =>
    items.length === 0 ? "" : `<h3>${title}</h3>${list(items)}`;

const list = (items: readonly string[]): string =>
    items.length === 0 ? "" : `<ul>${items.map((item) => `<li>${escapeXml(item)}</li>`).join("")}</ul>`;

const findings = (all: readonly Finding[]): string =>
    `<ul>${all
        .map(({ severity, rule, message, remedy, position }) => {
            const where = position === null ? "" : `<code>${escapeXml(position)}</code> `;
            const name = rule === null ? "" : ` <code>${escapeXml(rule)}</code>`;
            return `<li class="${severity}"><strong>${severity}</strong>${name}: ${where}${escapeXml(message)}${remedy === null ? "" : `<br>Remedy: ${escapeXml(remedy)}`}</li>`;
        })
        .join("")}</ul>`;

const legend = (): string =>
    `<ul class="legend">${Object.entries(words.CHANGE_WORDS)
        .map(
            ([change, word]) =>
                `<li class="${change}">${escapeXml(words.SIGNS[change as keyof typeof words.SIGNS].trim())} ${word}</li>`,
        )
        .join("")}</ul>`;
