/** Filters, paged listings and results that all data sources share. */
import { writeFileSync } from "node:fs";
import type { CallOptions, Client } from "../sdk/client";
import { placed, sdkSource, type PlacedError } from "../sdk/errors";
import { sortedJson, type Arguments } from "../sdk/flatten";
import type { Product } from "../sdk/names";
import type { Answer } from "../sdk/tea";
import type { ResourceData } from "../terraform/data";
import { hashText } from "../terraform/hash";
import type { SchemaMap } from "../terraform/schema";
import type { Value, ValueMap } from "../terraform/value";
import { either, optional, output, text, texts } from "../terraform/shorthand";
import { plainPattern } from "../terraform/validators";
import { goText, listOf, need, valueOf } from "../types/values";

/** Arguments and results of most data sources. */
export const filterSchema: SchemaMap = {
    ids: texts(either),
    name_regex: text({ ...optional, validate: plainPattern }),
    names: texts(output),
    output_file: text(optional),
};

/** Passes on a call that failed for a data source. */
export const listingFailed = (error: unknown, place: string, source: string, action: string): PlacedError =>
    placed(error, place, `Datasource ${source} ${action} Failed!!! ${sdkSource}`);

/** A call of form A for a data source. */
export async function callTyped(
    client: Client,
    source: string,
    action: string,
    parameters: Arguments,
    line: number,
): Promise<Answer> {
    try {
        return await client.typed(action, parameters);
    } catch (error) {
        throw listingFailed(error, `data_source_${source}.go:${line}`, source, action);
    }
}

/** Returns a filter for objects whose id and name were asked for. Without such arguments it accepts all. */
export function filterOf(data: ResourceData, pattern = "name_regex"): (id: unknown, name?: unknown) => boolean {
    const ids = (data.given("ids") as string[] | undefined)
        ?.filter((id) => id !== null && id !== undefined)
        .map((id) => id.trim());
    const given = pattern in data.schema ? (data.given(pattern) as string | undefined) : undefined;
    const regex = given === undefined ? undefined : new RegExp(given);
    return (id, name) =>
        (ids === undefined || ids.includes(goText(id))) && (regex === undefined || regex.test(goText(name)));
}

/** Arguments that were given, as parameters. */
export function givenArguments(data: ResourceData, names: Readonly<Record<string, string>>): Arguments {
    return Object.fromEntries(
        Object.entries(names).map(([attribute, name]) => [name, data.given(attribute) as string | undefined]),
    );
}

export interface Listing {
    readonly product: Product;
    readonly action: string;
    /** The path of the list in the answer. */
    readonly list: string;
    /** Such as `alicloud_nlb_listeners`. */
    readonly source: string;
    /** Lines that pass on a failed call and an answer without the list. */
    readonly lines: readonly [number, number];
    /** Some listings are not repeated after passing trouble. */
    readonly once?: boolean;
    /** Way of asking for the next page. */
    readonly pages?: "token" | "number";
}

/** All pages of a listing (form C), and the last answer. */
export async function listAll(
    data: ResourceData,
    client: Client,
    listing: Listing,
    parameters: Arguments,
): Promise<{ found: Answer[]; last: Answer }> {
    const { action, source } = listing;
    const place = (line: number): string => `data_source_${source}.go:${line}`;
    const options: CallOptions = { product: listing.product, autoRetry: true };
    const isOnePage = listing.pages === "number" && "page_number" in data.schema && data.number("page_number") > 0;
    const body: Arguments = { RegionId: client.region, ...parameters };
    const found: Answer[] = [];
    for (;;) {
        let answer: Answer;
        try {
            answer =
                listing.once === true
                    ? await client.call(action, body, options)
                    : await client.callPatiently(action, body, options);
        } catch (error) {
            throw listingFailed(error, place(listing.lines[0]), source, action);
        }
        const page = listOf(need(answer, listing.list, place(listing.lines[1]), action));
        found.push(...page);
        const token = answer["NextToken"];
        if (listing.pages === "token" && typeof token === "string" && token !== "") body["NextToken"] = token;
        else if (listing.pages === "number" && !isOnePage && page.length >= Number(body["PageSize"]))
            body["PageNumber"] = Number(body["PageNumber"]) + 1;
        else return { found, last: answer };
    }
}

/** Sets the id, which is derived from the ids found, and the results. The first list is written to `output_file`. */
export function finish(data: ResourceData, ids: readonly string[], results: Readonly<Record<string, Value>>): void {
    data.id = String(hashText(ids.map((id) => `${id}-`).join("")));
    if ("ids" in data.schema) data.set("ids", [...ids]);
    for (const [name, value] of Object.entries(results)) data.set(name, value);
    const file = "output_file" in data.schema ? data.text("output_file") : "";
    if (file !== "")
        writeFileSync(file, JSON.stringify(JSON.parse(sortedJson(Object.values(results)[0])), undefined, "\t"));
}

/** Attributes from the equally named fields of an answer. */
export const copied = (answer: Answer, fields: Readonly<Record<string, string>>): ValueMap =>
    Object.fromEntries(Object.entries(fields).map(([attribute, field]) => [attribute, valueOf(answer[field])]));
