/** Measured API calls, compared with CCM and the goal. */

import { wrapMarkdown } from "../../tools/docs/wrap";

/** Operation, measured through `pulumi`. */
export interface Measurement {
    /** Unique name of the operation, by which results are compared. */
    readonly operation: string;
    /** Goal of the operation. Creation depends on the alicloud plugin, so only later operations have a goal. */
    readonly goal: "none" | "ccm" | "zero";
    readonly calls: number;
    /** Calls that change something. */
    readonly writes: number;
    /** Calls of the alicloud plugin, writes and reads. The rest are this package's. */
    readonly plugin: number;
    /** The calls by action. */
    readonly actions: Readonly<Record<string, number>>;
    /** Calls of the Cloud Controller Manager for the same. */
    readonly ccm: number;
    /** Greatest permitted number of calls by action. */
    readonly limits?: Readonly<Record<string, number>>;
}

/** The numbers that are compared with the baseline, and their names. */
const COMPARED = [
    ["calls", "calls"],
    ["writes", "writes"],
    ["plugin", "calls of the plugin"],
] as const;

export const meetsGoal = ({ goal, calls, ccm }: Measurement): boolean =>
    goal === "none" || calls <= (goal === "zero" ? 0 : ccm);

/** Actions that exceed their limit. */
export function exceeded({ operation, actions, limits = {} }: Measurement): string[] {
    return Object.entries(limits).flatMap(([action, most]) =>
        (actions[action] ?? 0) > most ? [`${operation}: ${actions[action]} × ${action}, at most ${most}`] : [],
    );
}

/** Everything that is worse than the baseline. */
export function regressions(measured: readonly Measurement[], baseline: readonly Measurement[]): string[] {
    const before = new Map(baseline.map((one) => [one.operation, one]));
    const found = measured.flatMap((now) => {
        const then = before.get(now.operation);
        if (then === undefined) {
            return [`${now.operation}: not in the baseline`];
        }
        return COMPARED.flatMap(([what, name]) =>
            now[what] > then[what] ? [`${now.operation}: ${now[what]} ${name}, ${then[what]} before`] : [],
        );
    });
    const seen = new Set(measured.map(({ operation }) => operation));
    return [
        ...found,
        ...baseline.flatMap(({ operation }) => (seen.has(operation) ? [] : [`${operation}: no longer measured`])),
    ];
}

/** The table, as Markdown. */
export function renderTable(measured: readonly Measurement[]): string {
    const rows = measured.map((one) => {
        const cells = [
            one.operation,
            one.calls,
            one.writes,
            one.plugin,
            one.calls - one.plugin,
            one.ccm,
            ratio(one),
            goalText(one),
            metText(one),
        ];
        return `| ${cells.join(" | ")} |\n`;
    });
    return (
        "| operation | calls | of them writes | by the plugin | by this package | CCM | calls / CCM | goal | met |\n" +
        `|---|--:|--:|--:|--:|--:|--:|---|---|\n${rows.join("")}`
    );
}

/** `docs/internal/api-calls.md`. */
export function renderDocument(measured: readonly Measurement[]): string {
    const actions = measured.map(({ operation, actions: calls }) => `| ${operation} | ${callText(calls)} |\n`);
    return wrapMarkdown(`# API calls

<!-- Written by \`make bench-calls\`; do not edit. -->

The number of calls to Alibaba Cloud per operation, measured through \`pulumi up\` and \`pulumi destroy\` in the lab,
compared with the Cloud Controller Manager (CCM). \`make bench-calls\` measures again and writes this page;
\`make bench-calls CHECK=1\` writes nothing, and fails if a number is worse than the stored one
([bench/calls/baseline.json](../../bench/calls/baseline.json)).

P is the number of ports, N the number of backends of each server group. Requests of the alicloud plugin and of this
package are signed in different ways. CCM's column is computed from its call counts
([bench/calls/ccm.ts](../../bench/calls/ccm.ts)), for a managed instance and without errors.

${renderTable(measured)}
The goal is at most the calls of CCM for everything after creation, and no call if nothing changes. CCM resyncs (3 + P
calls) at every event of a node or an endpoint of the Service, even if nothing changes. A run of this package reads only
the cluster and compares it with the recorded state; \`--refresh\` reads the cloud too and finds drift, which CCM does not.

Creation has no goal. The plugin reads each object after creating it, sets a listener's attributes again, and waits for
statuses. This package adds

- one call in the first run of a stack, for the account's id (GetCallerIdentity of STS, which has another quota);
- three reads for each kind of load balancer before it creates one for a new Service: the quotas of the account
  (ListProductQuotas), and two counts of existing objects;
- one read for an instance that an interrupted run may have left behind;
- for each server group one read of its backends and their addition, 20 per call as documented (CCM adds 40 per call).

Another protocol on a port deletes and creates a listener: with the plugin's reads these are more calls than CCM makes.

## NLB: many backends

Every change of an NLB is an asynchronous job, and a server group accepts one change at a time. The number of calls therefore determines the time.
${BY_HAND}
| backends of one group | calls here | writes here | calls by hand | waiting by hand, 8 at a time |
|--:|--:|--:|--:|--:|
${measured.filter(isMembership).map(handRow).join("")}
"calls here" counts the writes that add backends (at most ${SERVERS_PER_CALL} servers each), the reads of their job status, and the read of the server group before. \`make bench-calls\` fails if a server group
of N backends takes more than N / ${SERVERS_PER_CALL} writes, rounded up, or if one more backend takes more than one write.

## Calls by action

| operation | calls |
|---|---|
${actions.join("")}`);
}

const SERVERS_PER_CALL = 40;

/** A program without this package. */
const BY_HAND = `
A program that uses the alicloud plugin directly has one \`nlb.ServerGroupServerAttachment\` per backend. Its create takes three calls (one write and two reads) and a wait of five
seconds, and so do update and delete; of parallel calls all but one fail because the server group is locked (recordings: testdata/alicloud-plugin). The columns "by hand" are calculated,
not measured: 3 × N calls, and 5 s × N / 8 of waiting with eight resources at a time, without conflicts.
`;

/** The calls about backends. */
const MEMBERSHIP = [
    "AddServersToServerGroup",
    "RemoveServersFromServerGroup",
    "UpdateServerGroupServersAttribute",
] as const;

/** Reports whether a measurement is about filling a server group. */
const isMembership = ({ limits = {} }: Measurement): boolean => limits["AddServersToServerGroup"] !== undefined;

function handRow({ operation, actions }: Measurement): string {
    const backends = Number(/N = (\d+)/.exec(operation)?.[1]);
    const writes = MEMBERSHIP.reduce((sum, action) => sum + (actions[action] ?? 0), 0);
    const calls = 2 * writes + (actions["ListServerGroupServers"] ?? 0);
    return (
        `| ${operation.includes("more") ? `${backends}, one more` : backends} | ` +
        `${calls} | ${writes} | ${3 * (operation.includes("more") ? 1 : backends)} ` +
        `| ${Math.ceil(operation.includes("more") ? 5 : (5 * backends) / 8)} s |\n`
    );
}

const goalText = ({ goal, ccm }: Measurement): string => (goal === "none" ? "–" : goal === "zero" ? "0" : `≤ ${ccm}`);

const metText = (measurement: Measurement): string =>
    measurement.goal === "none" ? "–" : meetsGoal(measurement) ? "yes" : "**no**";

const ratio = ({ calls, ccm }: Measurement): string => (calls / ccm).toFixed(2);

function callText(calls: Readonly<Record<string, number>>): string {
    const names = Object.entries(calls).map(([action, count]) => (count === 1 ? action : `${action}×${count}`));
    return names.length === 0 ? "none" : names.join(", ");
}
