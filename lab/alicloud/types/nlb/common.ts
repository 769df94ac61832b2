/** Parts that the NLB types share. */
import { randomUUID } from "node:crypto";
import type { Attempts, Client } from "../../sdk/client";
import { failed, isNotFound, notFound, notFoundText, placed } from "../../sdk/errors";
import type { Arguments } from "../../sdk/flatten";
import { waitFor } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import { isOwnedByCloud, tagArguments, tagChanges, tagKeyArguments } from "../tags";
import { goText, goTextVerb, listOf, need } from "../values";

export const service = "service_alicloud_nlb_v2.go";

/** Descriptions and job states are asked for during this many seconds at most. */
const describeLimit = 60;

export interface NlbAttempts extends Attempts {
    readonly query?: Arguments;
    /** Some listings go without a client token. */
    readonly token?: boolean;
}

export function call(
    client: Client,
    action: string,
    parameters: Arguments,
    attempts: NlbAttempts = {},
): Promise<Answer> {
    const { token = true, ...rest } = attempts;
    const body = {
        ...parameters,
        RegionId: client.region,
        ...(token ? { ClientToken: `TF-${action}-${randomUUID()}` } : {}),
    };
    return client.callPatiently(action, body, {
        product: "nlb",
        autoRetry: true,
        limit: describeLimit,
        pauses: [3, 5],
        ...rest,
    });
}

/** Fails with what the cloud answered instead. */
export const missing = (what: string, id: string, place: string, answer: unknown): Error =>
    notFound(notFoundText(what, id), place, answer === undefined ? "map[]" : goTextVerb(answer));

/** Returns the members of a list in an answer. An empty list means that there is no such object. */
export function needSome(
    answer: Answer,
    list: string,
    what: string,
    id: string,
    lines: readonly [number, number],
): Answer[] {
    const found = listOf(need(answer, `$.${list}[*]`, `${service}:${lines[0]}`, id));
    if (found.length === 0) throw missing(what, id, `${service}:${lines[1]}`, answer);
    return found;
}

/** Returns a field of an object for a wait, empty when the object is gone. */
export async function stateOf(describe: () => Promise<Answer>, field: string, line: number): Promise<string> {
    try {
        return goText((await describe())[field]);
    } catch (error) {
        if (isNotFound(error)) return "";
        throw placed(error, `${service}:${line}`);
    }
}

export interface JobWait {
    readonly place: string;
    readonly limit: number;
    readonly delay: number;
    /** Line that passes on failing looks. Without it they count as "not yet". */
    readonly strictLine?: number;
}

/** Waits for the job that an answer names. */
export async function waitForJob(data: ResourceData, client: Client, answer: Answer, wait: JobWait): Promise<void> {
    const look = async (): Promise<string> => {
        try {
            const job = await client.callPatiently(
                "GetJobStatus",
                { ClientToken: `TF-GetJobStatus-${randomUUID()}` },
                {
                    product: "nlb",
                    autoRetry: true,
                    limit: describeLimit,
                    pauses: [3, 5],
                    query: { JobId: answer["JobId"] as string },
                    fail: { place: `${service}:895`, subject: data.id },
                },
            );
            return goText(job["Status"]);
        } catch (error) {
            if (isNotFound(error)) return "";
            if (wait.strictLine !== undefined) throw placed(error, `${service}:${wait.strictLine}`);
            return goText(undefined);
        }
    };
    await waitFor(client.clock, data.id, wait.place, {
        target: ["Succeeded"],
        limit: wait.limit,
        delay: wait.delay,
        look,
    });
}

/** Sets changed tags: those that go or change are taken off first, then all are put on. */
export async function writeTags(
    data: ResourceData,
    client: Client,
    ResourceType: string,
    place: string,
): Promise<void> {
    if (!data.hasChange("tags")) return;
    const { desired, removed } = tagChanges(data);
    const keys = removed.filter((key) => !isOwnedByCloud(key));
    const send = async (action: string, parameters: Arguments, line: number): Promise<void> => {
        try {
            await call(
                client,
                action,
                { "ResourceId.1": data.id, ...parameters, ResourceType },
                { limit: data.timeout("update") },
            );
        } catch (error) {
            throw placed(failed(error, `${service}:${line}`, data.id, action), place);
        }
    };
    if (keys.length > 0) await send("UntagResources", tagKeyArguments(keys), 419);
    if (desired.length > 0) await send("TagResources", tagArguments(desired), 453);
}

/** Moves an existing object to another resource group when that changed. */
export async function moveToGroup(
    data: ResourceData,
    client: Client,
    ResourceType: string,
    place: string,
): Promise<void> {
    const group = data.given("resource_group_id") as string | undefined;
    if (group === undefined || !data.hasChange("resource_group_id")) return;
    await call(
        client,
        "MoveResourceGroup",
        { ResourceId: data.id, NewResourceGroupId: group, ResourceType },
        { limit: data.timeout("update"), fail: { place, subject: data.id } },
    );
    data.done("resource_group_id");
}

/** The tags given when an object is made. */
export const givenTags = (data: ResourceData): Arguments =>
    tagArguments(
        Object.entries((data.given("tags") ?? {}) as Record<string, unknown>)
            .map(([key, value]): [string, string] => [key, String(value)])
            .sort(),
    );

/** Returns the given attributes as parameters, including `false` and 0. */
export function presentArguments(data: ResourceData, names: Readonly<Record<string, string>>): Arguments {
    return Object.fromEntries(
        Object.entries(names).map(([attribute, name]) => [name, data.present(attribute) as string | undefined]),
    );
}

/** Attributes that were given and are not empty, as parameters. */
export function givenArguments(data: ResourceData, names: Readonly<Record<string, string>>): Arguments {
    return Object.fromEntries(
        Object.entries(names).map(([attribute, name]) => [name, data.given(attribute) as string | undefined]),
    );
}

/** Attributes that changed, as parameters. */
export function changedArguments(data: ResourceData, names: Readonly<Record<string, string>>): Arguments {
    return Object.fromEntries(
        Object.entries(names)
            .filter(([attribute]) => data.hasChange(attribute))
            .map(([attribute, name]) => [name, data.get(attribute) as string]),
    );
}

/** Splits an id of two parts. */
export const halves = (id: string): [string, string] => id.split(":") as [string, string];
