/** What was measured, beside CCM's price and the goal: pure functions. */

/** One operation, as it was measured through `pulumi`. */
export interface Measurement {
    /** What was done, in words that name it once: results are compared by it. */
    readonly operation: string;
    /** Creation is bound to what the alicloud plugin does; everything after it has a goal. */
    readonly goal: "none" | "ccm" | "zero";
    readonly calls: number;
    /** Calls that change something. */
    readonly writes: number;
    /** Calls of the alicloud plugin, writes and reads; the rest are this package's. */
    readonly plugin: number;
    /** The calls by action. */
    readonly actions: Readonly<Record<string, number>>;
    /** Calls of the Cloud Controller Manager for the same. */
    readonly ccm: number;
    /** How often an action may be called at most. */
    readonly limits?: Readonly<Record<string, number>>;
}

/** What is compared with the baseline, and what it is called. */
const COMPARED = [
    ["calls", "calls"],
    ["writes", "writes"],
    ["plugin", "calls of the plugin"],
] as const;

/** Whether an operation costs no more than it should. */
export function meetsGoal({ goal, calls, ccm }: Measurement): boolean {
    return goal === "none" || calls <= (goal === "zero" ? 0 : ccm);
}

/** Actions that were called more often than they may be; empty if none was. */
export function exceeded({ operation, actions, limits = {} }: Measurement): string[] {
    return Object.entries(limits).flatMap(([action, most]) =>
        (actions[action] ?? 0) > most ? [`${operation}: ${actions[action]} × ${action}, at most ${most}`] : [],
    );
}

/** Everything that is worse than it was; empty if nothing is. A goal that is missed shows in the table, and stays as it is until a number changes. */
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
    return `| operation | calls | of them writes | by the plugin | by this package | CCM | calls / CCM | goal | met |\n|---|--:|--:|--:|--:|--:|--:|---|---|\n${rows.join("")}`;
}

/** `docs/api-calls.md`. */
export function renderDocument(measured: readonly Measurement[]): string {
    const actions = measured.map(({ operation, actions: calls }) => `| ${operation} | ${callText(calls)} |\n`);
    return `# API calls

<!-- Written by \`make bench-calls\`; do not edit. -->

What an operation costs in calls to Alibaba Cloud, measured through \`pulumi up\` and \`pulumi destroy\` in a lab, beside what the Cloud Controller Manager (CCM) spends on the same.
\`make bench-calls\` measures again and writes this page; \`make bench-calls CHECK=1\` writes nothing, and fails when a number is worse than the stored ones
([bench/calls/baseline.json](../bench/calls/baseline.json)).

P is the number of ports, N the number of backends of each server group. Calls of the alicloud plugin are told from this package's by the way in which requests are signed.
CCM's column is computed from its own call counts ([bench/calls/ccm.ts](../bench/calls/ccm.ts)), for an instance of its own and without errors.

${renderTable(measured)}
The goal is CCM's price at most for everything after the creation, and no call at all where nothing is to be done. CCM pays its resync (3 + P calls) for every
event of a node or an endpoint that concerns the Service, whether or not something changes; a run of this package reads the cluster only and compares with what it
has stored. \`--refresh\` reads the cloud too, which is what finds an edit behind one's back; CCM never looks for those.

Creation has no goal: the plugin reads each object back after it has made it, sets a listener's attributes once more, and waits for statuses. What this package adds
is one look for an instance that an interrupted run may have left, and for each group one look at its members and their addition, in calls of 20 as documented (CCM puts
40 into one). Another protocol on a port is the deletion and creation of a listener: the plugin's reads are what takes it past CCM.

## NLB: many backends

Every change of an NLB is a job, and a server group takes one change at a time. So the number of calls is also what sets the time.
${BY_HAND}
| backends of one group | calls here | writes here | calls by hand | waiting by hand, 8 at a time |
|--:|--:|--:|--:|--:|
${measured.filter(isMembership).map(handRow).join("")}
In calls here, the write that adds (at most ${SERVERS_PER_CALL} servers each) and the question whether its job is done are counted, the read of the group before it, and nothing else. \`make bench-calls\` fails when a group
of N backends takes more than N / ${SERVERS_PER_CALL} writes, rounded up, or when one backend more takes more than one.

## The calls themselves

| operation | calls |
|---|---|
${actions.join("")}`;
}

/** Servers in one call. */
const SERVERS_PER_CALL = 40;

/** The hand-written program, in one paragraph. */
const BY_HAND = `
A program written by hand on the alicloud plugin has one \`nlb.ServerGroupServerAttachment\` for each backend. Its create is three calls (add, and two reads) and a wait of five
seconds, its change and its removal the same, and of those in parallel all but one are told that the group is locked (recordings: testdata/alicloud-plugin). That is a formula, not a
measurement: 3 × N calls, and 5 s × N / 8 of waiting with eight resources at a time, before any conflict.
`;

/** What concerns members, out of all calls. */
const MEMBERSHIP = [
    "AddServersToServerGroup",
    "RemoveServersFromServerGroup",
    "UpdateServerGroupServersAttribute",
] as const;

/** Whether a measurement says what it costs to fill a group. */
function isMembership({ limits = {} }: Measurement): boolean {
    return limits["AddServersToServerGroup"] !== undefined;
}

function handRow({ operation, actions }: Measurement): string {
    const backends = Number(/N = (\d+)/.exec(operation)?.[1]);
    const writes = MEMBERSHIP.reduce((sum, action) => sum + (actions[action] ?? 0), 0);
    const calls = 2 * writes + (actions["ListServerGroupServers"] ?? 0);
    return `| ${operation.includes("more") ? `${backends}, one more` : backends} | ${calls} | ${writes} | ${3 * (operation.includes("more") ? 1 : backends)} | ${Math.ceil(operation.includes("more") ? 5 : (5 * backends) / 8)} s |\n`;
}

function goalText({ goal, ccm }: Measurement): string {
    return goal === "none" ? "–" : goal === "zero" ? "0" : `≤ ${ccm}`;
}

function metText(measurement: Measurement): string {
    return measurement.goal === "none" ? "–" : meetsGoal(measurement) ? "yes" : "**no**";
}

function ratio({ calls, ccm }: Measurement): string {
    return (calls / ccm).toFixed(2);
}

function callText(calls: Readonly<Record<string, number>>): string {
    const names = Object.entries(calls).map(([action, count]) => (count === 1 ? action : `${count} × ${action}`));
    return names.length === 0 ? "none" : names.join(", ");
}
