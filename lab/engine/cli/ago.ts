/** How long ago a moment was, in the largest whole unit. @param unix seconds since 1970 */
export function ago(unix: number): string {
    const s = Math.max(0, Math.floor(Date.now() / 1000) - unix);
    const [n, unit] =
        s < 60
            ? [s, "second"]
            : s < 3600
              ? [Math.floor(s / 60), "minute"]
              : s < 86400
                ? [Math.floor(s / 3600), "hour"]
                : [Math.floor(s / 86400), "day"];
    return n === 0 ? "now" : `${n} ${unit}${n === 1 ? "" : "s"} ago`;
}
