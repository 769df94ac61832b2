/** Calls, tags and carriers of the types that live in the VPC product. */
import { randomUUID } from "node:crypto";
import type { Client } from "../../sdk/client";
import { placed } from "../../sdk/errors";
import type { Arguments } from "../../sdk/flatten";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import { either, fixed, text } from "../../terraform/shorthand";
import { oneOf } from "../../terraform/validators";
import { isOwnedByCloud, tagArguments, tagChanges, tagKeyArguments } from "../tags";

/** Line of a carrier that public traffic takes. */
export const isp = text({
    ...fixed(either),
    validate: oneOf(
        "BGP",
        "BGP_PRO",
        "ChinaTelecom",
        "ChinaUnicom",
        "ChinaMobile",
        "ChinaTelecom_L2",
        "ChinaUnicom_L2",
        "ChinaMobile_L2",
        "BGP_FinanceCloud",
        "BGP_International",
    ),
});

export interface Sending {
    readonly query?: Arguments;
    /** Seconds. */
    readonly limit: number;
    /** The place that passes a failure on, and what it names. */
    readonly source: string;
    readonly line: number;
    readonly subject: string;
    readonly also?: readonly string[];
    readonly autoRetry?: boolean;
}

export const callVpc = (client: Client, action: string, body: Arguments, sending: Sending): Promise<Answer> =>
    client.callPatiently(action, body, {
        product: "vpc",
        query: sending.query ?? {},
        autoRetry: sending.autoRetry ?? true,
        limit: sending.limit,
        pauses: [3, 5],
        also: sending.also ?? [],
        fail: { place: `${sending.source}:${sending.line}`, subject: sending.subject },
    });

export const token = (action: string): string => `TF-${action}-${randomUUID()}`;

export interface Tagging {
    readonly resourceType: string;
    readonly service: string;
    /** Lines that pass on a failed removal and a failed addition. */
    readonly lines: readonly [number, number];
    readonly place: string;
}

/** Sets changed tags: those that go or change are taken off first, then all are put on. */
export async function writeTags(data: ResourceData, client: Client, tagging: Tagging): Promise<void> {
    if (!data.hasChange("tags")) return;
    const { desired, removed } = tagChanges(data);
    const keys = removed.filter((key) => !isOwnedByCloud(key));
    const send = async (action: string, parameters: Arguments, line: number): Promise<void> => {
        const body = {
            "ResourceId.1": data.id,
            RegionId: client.region,
            ...parameters,
            ResourceType: tagging.resourceType,
        };
        try {
            await callVpc(client, action, body, {
                limit: data.timeout("update"),
                source: tagging.service,
                line,
                subject: data.id,
            });
        } catch (error) {
            throw placed(error, tagging.place);
        }
    };
    // This product spells the action with a capital T.
    if (keys.length > 0) await send("UnTagResources", tagKeyArguments(keys), tagging.lines[0]);
    if (desired.length > 0) await send("TagResources", tagArguments(desired), tagging.lines[1]);
}
