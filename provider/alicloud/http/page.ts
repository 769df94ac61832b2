import { number, object, readAnswer, text } from "./answer";
import type { Json } from "./json";

const TOKEN = object({ NextToken: text });
const TOTAL = object({ TotalCount: number });

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
        token = readAnswer(action, TOKEN, page).NextToken;
        if (token === undefined) return pages;
        if (seen.has(token)) throw new Error(`${action}: the answer repeats its NextToken`);
        seen.add(token);
    }
}

/** Follows PageNumber until TotalCount items were read, and gives them all; an empty page ends it. */
export async function numberedItems<Item>(
    action: string,
    read: (pageNumber: number) => Promise<Json>,
    itemsOf: (page: Json) => readonly Item[],
): Promise<Item[]> {
    const items: Item[] = [];
    for (let pageNumber = 1; ; pageNumber++) {
        const page = await read(pageNumber);
        const got = itemsOf(page);
        items.push(...got);
        if (got.length === 0 || items.length >= (readAnswer(action, TOTAL, page).TotalCount ?? 0)) return items;
    }
}
