/** Status of a ServerGroupBinding. */
import { z } from "zod";
import { shortLine } from "../../net";
import { defined } from "../../schema/defined";

export const LISTED_MEMBERS = 50;

/** Reason of the condition `Synced`. */
export type Reason =
    | "Synced"
    /** No backend would be left, so the last backends stay. */
    | "NoBackends"
    | "ServiceMissing"
    /** The structure of the Service has changed. */
    | "ServiceChanged"
    | "EndpointsMissing"
    | "NodesMissing"
    | "ServerGroupMissing"
    | "InvalidSpec"
    /** The server group belongs to another Service, or was made by hand. */
    | "NotOwned"
    /** An older binding manages the same backends. */
    | "Conflict"
    | "PodsWithoutInterface"
    | "CallRefused"
    /** The cloud did not answer, or was too busy. */
    | "CloudUnavailable"
    | "Failed";

const CONDITION = z.object({
    type: z.string().max(316),
    status: z.enum(["True", "False", "Unknown"]),
    reason: z.string().max(1024),
    message: z.string().max(32768).describe("Cause and remedy."),
    observedGeneration: z.int().min(0).optional(),
    lastTransitionTime: z.string().meta({ format: "date-time" }),
});

export const BINDING_STATUS = z.object({
    observedGeneration: z.int().min(0).optional().describe("Generation of the spec that the status is about."),
    conditions: z
        .array(CONDITION)
        .optional()
        .meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] }),
    backends: z
        .object({
            total: z.int().min(0).describe("Managed backends in the group."),
            draining: z.int().min(0).describe("Backends with weight 0 that are about to be removed."),
            weight: z.int().min(0).describe("Sum of the weights."),
            userManaged: z.int().min(0).describe("Members of the group that are user-managed and left alone."),
        })
        .optional(),
    members: z
        .array(z.object({ backend: z.string(), weight: z.int().min(0) }))
        .max(LISTED_MEMBERS)
        .optional()
        .describe(`The managed backends, at most ${LISTED_MEMBERS}.`),
    lastChangeTime: z
        .string()
        .meta({ format: "date-time" })
        .optional()
        .describe("When the controller last changed the group."),
});

export type BindingStatus = z.output<typeof BINDING_STATUS>;

type Condition = z.output<typeof CONDITION>;

export const SYNCED = "Synced";

export interface BindingFinding {
    readonly synced: boolean;
    readonly reason: Reason;
    readonly cause: string;
    /** Absent if nothing needs to be done. */
    readonly remedy?: string;
}

/** Returns the finding for a group whose members stay as they are. */
export const held = (reason: Reason, cause: string, remedy: string): BindingFinding => ({
    synced: false,
    reason,
    cause,
    remedy,
});

export function messageOf({ cause, remedy }: Pick<BindingFinding, "cause" | "remedy">): string {
    const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
    return sentence(shortLine(cause)) + (remedy === undefined ? "" : ` Remedy: ${sentence(remedy)}`);
}

/** Returns the condition `Synced` of a finding. The transition time stays while its status does. */
export function conditionOf(
    finding: BindingFinding,
    generation: number | undefined,
    previous: Condition | undefined,
    now: string,
): Condition {
    const status = finding.synced ? "True" : "False";
    return {
        type: SYNCED,
        status,
        reason: finding.reason,
        message: messageOf(finding),
        ...defined({ observedGeneration: generation }),
        lastTransitionTime: previous?.status === status ? previous.lastTransitionTime : now,
    };
}
