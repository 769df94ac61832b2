import { type AnswerType, type Json, list, number, object, type Read, readAnswer, text } from "./answer";
import type { CallOptions, Cloud } from "./cloud";
import { ignoreNotFound, type NotFoundSubject } from "./error";
import type { Product } from "./product";

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

/** List of an answer: its name, the type of its items, and the name in which the APIs of older products wrap it. */
type ListField<Item extends AnswerType> = readonly [name: string, item: Item, wrapper?: string];

type Params = Readonly<Record<string, unknown>>;

/** Reads a list of an answer, empty if it is absent. */
export function readList<Item extends AnswerType>(
    action: string,
    [name, item, wrapper]: ListField<Item>,
    answer: Json,
): Read<Item>[] {
    return readAnswer(action, object({ [name]: list(item, wrapper) }), answer)[name] ?? [];
}

/** Calls an action for every page by NextToken, and returns the items of its list. */
export const listByToken = <Item extends AnswerType>(
    cloud: Cloud,
    product: Product,
    action: string,
    params: Params,
    field: ListField<Item>,
    options?: CallOptions,
): Promise<Read<Item>[]> =>
    tokenItems(
        action,
        (NextToken) => cloud.call(product, action, { ...params, NextToken }, options),
        (page) => readList(action, field, page),
    );

/** Calls an action by PageNumber until TotalCount items were read or a page is empty, and returns all items. */
export async function listByNumber<Item extends AnswerType>(
    cloud: Cloud,
    product: Product,
    action: string,
    params: Params,
    field: ListField<Item>,
): Promise<Read<Item>[]> {
    const items: Read<Item>[] = [];
    for (let PageNumber = 1; ; PageNumber++) {
        const page = await cloud.call(product, action, { ...params, PageNumber });
        const got = readList(action, field, page);
        items.push(...got);
        if (got.length === 0 || items.length >= (readAnswer(action, TOTAL, page).TotalCount ?? 0)) return items;
    }
}

/** Calls an action that describes an object, and returns undefined if the object does not exist. */
export async function readObject<Type extends AnswerType>(
    cloud: Cloud,
    product: Product,
    action: string,
    params: Params,
    type: Type,
    what: NotFoundSubject,
): Promise<Read<Type> | undefined> {
    const answer = await ignoreNotFound(what, cloud.call(product, action, params));
    return answer && readAnswer(action, type, answer);
}

/** Cuts a list into pieces of at most `size`, in order. An empty list has none. */
export function batches<T>(items: readonly T[], size: number): T[][] {
    const pieces: T[][] = [];
    for (let start = 0; start < items.length; start += size) pieces.push(items.slice(start, start + size));
    return pieces;
}
