import { parseArgs } from "node:util";
import { LabClient } from "./lab-client";
import { table, treeRows, type State } from "./tree";

/** Mistake of the user, shown without a stack. */
export class UsageError extends Error {}

type Print = (text: string) => void;

export interface Command {
    readonly usage: string;
    readonly about: string;
    readonly run: (lab: LabClient, args: readonly string[], print: Print) => Promise<void>;
}

/** Parses `key=value` pairs, whose value may contain `=`. */
export function pairs(args: readonly string[]): Record<string, string> {
    return Object.fromEntries(
        args.map((arg): [string, string] => {
            const at = arg.indexOf("=");
            if (at < 1) throw new UsageError(`${arg} is not key=value`);
            return [arg.slice(0, at), arg.slice(at + 1)];
        }),
    );
}

function need(args: readonly string[], i: number, what: string): string {
    const value = args[i];
    if (value === undefined) throw new UsageError(`${what} is missing`);
    return value;
}

interface Call {
    readonly n: number;
    readonly time: string;
    readonly product: string;
    readonly action: string;
    readonly origin: string;
    readonly form: string;
    readonly code: string;
    readonly durationMs: number;
    readonly params: Readonly<Record<string, string>>;
}

function callLine(c: Call): string {
    const params = Object.entries(c.params)
        .filter(([name]) => name !== "RegionId" && name !== "ClientToken")
        .map(([name, value]) => `${name}=${value}`)
        .join(" ");
    const who = c.origin === "api" ? c.form : c.origin;
    return [
        String(c.n).padStart(5),
        c.time.slice(11, 23),
        who.padEnd(7),
        `${c.product}.${c.action}`,
        c.code === "OK" ? "" : `✗ ${c.code}`,
        params,
    ]
        .filter((part) => part !== "")
        .join("  ");
}

/** Interval of `calls --watch` in milliseconds. */
const WATCH_INTERVAL = 300;

async function calls(lab: LabClient, args: readonly string[], print: Print): Promise<void> {
    const { values } = parseArgs({
        args: [...args],
        options: {
            watch: { type: "boolean" },
            mutating: { type: "boolean" },
            since: { type: "string" },
            action: { type: "string" },
            counts: { type: "boolean" },
            json: { type: "boolean" },
        },
    });
    const filter = [
        values.mutating === true ? "&mutating=true" : "",
        values.action === undefined ? "" : `&action=${encodeURIComponent(values.action)}`,
    ].join("");
    let since = Number(values.since ?? 0);
    if (values.counts === true) {
        const counts = await lab.get<Record<string, number>>(`/_calls?counts&since=${since}${filter}`);
        return print(
            table(
                ["CALLS", "ACTION"],
                Object.entries(counts).map(([action, n]) => [String(n), action]),
            ),
        );
    }
    for (;;) {
        const rows = await lab.get<Call[]>(`/_calls?since=${since}${filter}`);
        for (const c of rows) print(values.json === true ? JSON.stringify(c) : callLine(c));
        since = rows.at(-1)?.n ?? since;
        if (values.watch !== true) return;
        await new Promise((resolve) => setTimeout(resolve, WATCH_INTERVAL));
    }
}

/** The object with this id, wherever it is, with everything that mentions it. */
async function show(lab: LabClient, args: readonly string[], print: Print): Promise<void> {
    const id = need(args, 0, "ID");
    const state = await lab.get<Record<string, unknown>>("/_state");
    const found: Record<string, unknown[]> = {};
    for (const [product, kinds] of Object.entries(state)) {
        if (kinds === null || typeof kinds !== "object") continue;
        for (const [kind, list] of Object.entries(kinds)) {
            if (!Array.isArray(list)) continue;
            const hits = list.filter(
                (item: { id?: string; loadBalancerId?: string }) => item.id === id || item.loadBalancerId === id,
            );
            if (hits.length > 0) found[`${product}.${kind}`] = hits;
        }
    }
    if (Object.keys(found).length === 0) throw new UsageError(`there is nothing called ${id}`);
    print(JSON.stringify(found, undefined, 2));
}

async function edit(lab: LabClient, args: readonly string[], print: Print): Promise<void> {
    const [what, ...rest] = args;
    const act = (action: string, params: Record<string, unknown>): Promise<unknown> => lab.act(action, params, "other");
    if (what === "remove-backend") {
        const group = need(rest, 0, "GROUP");
        const server = need(rest, 1, "SERVER");
        await removeBackend(lab, act, group, server);
    } else if (what === "set-listener") {
        const [lb, port, protocol] = [need(rest, 0, "LB"), need(rest, 1, "PORT"), need(rest, 2, "PROTOCOL")];
        if (lb.startsWith("nlb-"))
            await act("Nlb.UpdateListenerAttribute", {
                ListenerId: await nlbListenerId(lab, lb, port, protocol),
                ...pairs(rest.slice(3)),
            });
        else
            await act(`SetLoadBalancer${protocol.toUpperCase()}ListenerAttribute`, {
                LoadBalancerId: lb,
                ListenerPort: port,
                ...pairs(rest.slice(3)),
            });
    } else {
        throw new UsageError("edit remove-backend GROUP SERVER, or edit set-listener LB PORT PROTOCOL key=value…");
    }
    print("done");
}

async function nlbListenerId(lab: LabClient, lb: string, port: string, protocol: string): Promise<string> {
    const { nlb } = await lab.get<State>("/_state");
    const found = nlb.listeners.find(
        (l) =>
            l.loadBalancerId === lb && String(l.port) === port && l.protocol.toLowerCase() === protocol.toLowerCase(),
    );
    if (found === undefined) throw new UsageError(`${lb} has no listener ${protocol}:${port}`);
    return found.id;
}

/** Removes every entry of a server from a group. SERVER is an id or an address. */
async function removeBackend(
    lab: LabClient,
    act: (action: string, params: Record<string, unknown>) => Promise<unknown>,
    group: string,
    server: string,
): Promise<void> {
    const state = await lab.get<State>("/_state");
    const clb = state.slb.vServerGroups.find((g) => g.id === group);
    const nlb = state.nlb.serverGroups.find((g) => g.id === group);
    const members = (clb?.backends ?? nlb?.servers ?? []).filter((m) => m.serverId === server || m.serverIp === server);
    if (clb === undefined && nlb === undefined) throw new UsageError(`there is no group ${group}`);
    if (members.length === 0) throw new UsageError(`${group} has no member ${server}`);
    if (clb !== undefined) {
        const list = members.map((m) => ({ ServerId: m.serverId, ServerIp: m.serverIp, Port: m.port }));
        await act("RemoveVServerGroupBackendServers", { VServerGroupId: group, BackendServers: JSON.stringify(list) });
    } else {
        const list = (members as readonly ((typeof members)[number] & { serverType?: string })[]).map((m) => ({
            ServerId: m.serverId,
            ServerIp: m.serverIp,
            ServerType: m.serverType,
            Port: m.port,
        }));
        await act("Nlb.RemoveServersFromServerGroup", { ServerGroupId: group, Servers: list });
    }
}

async function fault(lab: LabClient, args: readonly string[], print: Print): Promise<void> {
    const [first, ...rest] = args;
    if (first === undefined || first === "list") return print(JSON.stringify(await lab.get("/_faults"), undefined, 2));
    if (first === "clear") {
        await lab.send("DELETE", rest[0] === undefined ? "/_faults" : `/_faults?id=${encodeURIComponent(rest[0])}`);
        return print("done");
    }
    const { match, given } = splitMatch(pairs(rest));
    const numbers = ["times", "skip", "delayMs", "status"];
    const flags = ["drop", "dropAfterEffect"];
    const typed = Object.fromEntries(
        Object.entries(given).map(([k, v]) => [
            k,
            numbers.includes(k) ? Number(v) : flags.includes(k) ? v === "true" : v,
        ]),
    );
    const { ids } = await lab.send<{ ids: string[] }>("POST", "/_faults", {
        action: first,
        ...typed,
        ...(Object.keys(match).length === 0 ? {} : { match }),
    });
    print(ids.join("\n"));
}

/** `match.Name=value` narrows a fault to calls with this parameter. */
function splitMatch(given: Record<string, string>): { match: Record<string, string>; given: Record<string, string> } {
    const isMatch = ([key]: [string, string]): boolean => key.startsWith("match.");
    const entries = Object.entries(given);
    return {
        match: Object.fromEntries(entries.filter(isMatch).map(([k, v]) => [k.slice("match.".length), v])),
        given: Object.fromEntries(entries.filter((e) => !isMatch(e))),
    };
}

export const COMMANDS: Readonly<Record<string, Command>> = {
    list: {
        usage: "list",
        about: "load balancers with address, listeners, groups and backends (weight)",
        run: async (lab, _args, print) =>
            print(
                table(
                    ["LOAD BALANCER", "ADDRESS", "LISTENER", "GROUP", "BACKENDS"],
                    treeRows(await lab.get<State>("/_state")),
                ),
            ),
    },
    show: { usage: "show ID", about: "one object with all that belongs to it, as JSON", run: show },
    state: {
        usage: "state",
        about: "every object, as JSON",
        run: async (lab, _args, print) => print(JSON.stringify(await lab.get("/_state"), undefined, 2)),
    },
    calls: {
        usage: "calls [--watch] [--mutating] [--since N] [--action A,B] [--counts] [--json]",
        about: "what was asked of the cloud",
        run: calls,
    },
    edit: {
        usage: "edit remove-backend GROUP SERVER | edit set-listener LB PORT PROTOCOL key=value…",
        about: "change something behind the program's back, as another tool would",
        run: edit,
    },
    console: {
        usage: "console ACTION key=value…",
        about: "do an API action as a person in the web console (modification protection holds); Nlb.ACTION for NLB",
        run: async (lab, args, print) =>
            print(
                JSON.stringify(await lab.act(need(args, 0, "ACTION"), pairs(args.slice(1)), "console"), undefined, 2),
            ),
    },
    fault: {
        usage:
            "fault ACTION code=… [times=N] [skip=N] [delayMs=N] [status=N] [drop=true] " +
            "[dropAfterEffect=true] [match.PARAM=value] | fault list | fault clear [ID]",
        about: "make calls fail",
        run: fault,
    },
    rules: {
        usage: "rules [TEXT]",
        about: "what the cloud refuses, and where that is written down",
        run: async (lab, args, print) => {
            const rules =
                await lab.get<{ id: string; code: string; when: string; source: string; enforced: boolean }[]>(
                    "/_rules",
                );
            const text = args[0]?.toLowerCase() ?? "";
            const rows = rules.filter((r) => [r.id, r.code, r.when].some((t) => t.toLowerCase().includes(text)));
            print(
                table(
                    ["RULE", "", "CODE", "REFUSED WHEN", "SOURCE"],
                    rows.map((r) => [r.id, r.enforced ? "on" : "off", r.code, r.when, r.source]),
                ),
            );
        },
    },
    config: {
        usage: "config [JSON]",
        about: 'show settings, or merge some: labcloud config \'{"delays": {"listenerStart": 2000}}\'',
        run: async (lab, args, print) => {
            const answer =
                args[0] === undefined
                    ? await lab.get("/_config")
                    : await lab.send("POST", "/_config", JSON.parse(args[0]));
            print(JSON.stringify(answer, undefined, 2));
        },
    },
};
