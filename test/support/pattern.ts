/** Joins expressions of a text that is longer than a line. The flags are those of the first. */
export function pattern(first: RegExp, ...others: readonly RegExp[]): RegExp {
    return new RegExp([first, ...others].map(({ source }) => source).join(""), first.flags);
}
