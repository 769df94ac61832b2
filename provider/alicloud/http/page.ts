import type { Json } from "./json";
import { number, text } from "./json";

/** Follows NextToken until the last page and gives every page's answer. A token that comes back is an error: it would never end. */
export async function tokenPages(
    action: string,
    read: (nextToken: string | undefined) => Promise<Json>,
): Promise<Json[]> {
    const pages: Json[] = [];
    const seen = new Set<string>();
    for (let token: string | undefined; ;) {
        const page = await read(token);
        pages.push(page);
        token = text(page, "NextToken");
        if (token === undefined) return pages;
        if (seen.has(token)) throw new Error(`${action}: the answer repeats its NextToken`);
        seen.add(token);
    }
}

/** Follows PageNumber until TotalCount items were read. `count` says how many items a page holds; an empty page ends it. */
export async function numberedPages(
    read: (pageNumber: number) => Promise<Json>,
    count: (page: Json) => number,
): Promise<Json[]> {
    const pages: Json[] = [];
    let items = 0;
    for (let pageNumber = 1; ; pageNumber++) {
        const page = await read(pageNumber);
        pages.push(page);
        const got = count(page);
        items += got;
        if (got === 0 || items >= (number(page, "TotalCount") ?? 0)) return pages;
    }
}
