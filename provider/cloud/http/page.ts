import { type Json, number, object, readAnswer, text } from "./answer";

const TOKEN = object({ NextToken: text });
const TOTAL = object({ TotalCount: number });

/**
 * Reads all pages by NextToken and returns their items.
 *
 * @throws Error if a token comes back: the pages would never end.
 */
export async function tokenItems<Item>(
    action: string,
    read: (nextToken: string | undefined) => Promise<Json>,
    itemsOf: (page: Json) => readonly Item[],
): Promise<Item[]> {
    const items: Item[] = [];
    const seen = new Set<string>();
    for (let token: string | undefined; ;) {
        const page = await read(token);
        items.push(...itemsOf(page));
        token = readAnswer(action, TOKEN, page).NextToken;
        if (token === undefined) return items;
        if (seen.has(token)) throw new Error(`${action}: the answer repeats its NextToken`);
        seen.add(token);
    }
}

/** Reads pages by PageNumber until TotalCount items were read or a page is empty, and returns all items. */
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

/** Cuts a list into pieces of at most `size`, in order; an empty list has none. */
export function batches<T>(items: readonly T[], size: number): T[][] {
    const pieces: T[][] = [];
    for (let start = 0; start < items.length; start += size) pieces.push(items.slice(start, start + size));
    return pieces;
}
