/** Breakages of Services on a lab: how `explain` tells each, and what the printed remedy mends. */
import { expect, test } from "@jest/globals";
import assert from "node:assert/strict";
import type { Session } from "../../lab";
import { Commands } from "./commands";
import { forget } from "./forget";
import { found } from "./found";
import { installPlugin } from "./network-plugin";
import type { Program } from "./program";
import { WHOLE } from "./sample";
import { type CloudBackend, type ServiceSpec, Stack, startWorld, stateOf } from "./world";

/** Network plugins, as ACK installs them, and what a Service without backend-type has for backends. */
export const PLUGINS = ["flannel", "terway"] as const;
export type Plugin = (typeof PLUGINS)[number];

export interface Breakage {
    readonly what: string;
    readonly service: string;
    readonly breakIt: () => Promise<unknown>;
    /** First line, by plugin where the backends decide. */
    readonly first: RegExp | Readonly<Record<Plugin, RegExp>>;
    readonly text?: RegExp | Readonly<Record<Plugin, RegExp>>;
    /** Default: 1, broken. */
    readonly code?: number | Readonly<Record<Plugin, number>>;
    /** Plugin with which it can happen. Default: each. */
    readonly only?: Plugin;
    /** Remedy as it is printed, of which the end is to run pulumi up --refresh. */
    readonly remedy?: RegExp;
    /** Part of that remedy that is done by hand before the run. */
    readonly byHand?: () => Promise<unknown>;
    /** Another remedy as it is printed, and how it is done, or undefined where nothing is found. */
    readonly mend?: readonly [remedy: RegExp | undefined, run: () => Promise<unknown>];
    /** Breakage that goes the same way through engine and plugins, which a sample has instead of this. */
    readonly like?: string;
    /** It outranks the breakage of the Service in the row before, on top of which it is made: a run mends both. */
    readonly onTop?: true;
}

/** The default remedy. */
const RUN = /^run pulumi up --refresh|pulumi up --refresh there creates the Service again/m;

/** Page of explain. */
interface Explained {
    readonly code: number;
    readonly first: string;
    readonly text: string;
    readonly findings: readonly Finding[];
}

interface Finding {
    readonly what: string;
    readonly verdict: string;
    readonly remedy: string;
}

/** Section of a finding on a page whose lines are not wrapped. */
const FINDING = /^\d+\. (?<what>.*) \((?<verdict>[a-z ]+)\)\n(?: {2}evidence: .*\n)* {2}remedy: (?<remedy>.*)$/gm;

const findingsOf = (text: string): Finding[] =>
    [...text.matchAll(FINDING)].map(({ groups: { what = "", verdict = "", remedy = "" } = {} }) => ({
        what,
        verdict,
        remedy,
    }));

/** User-managed load balancer with a started listener and its group. */
const USERS = { LoadBalancerId: "lb-users", ListenerPort: "9000" };
const USERS_CALLS = [
    {
        action: "CreateLoadBalancer",
        params: { LoadBalancerName: "users", AddressType: "internet", InstanceChargeType: "PayByCLCU" },
        id: "lb-users",
    },
    {
        action: "CreateVServerGroup",
        params: { LoadBalancerId: "lb-users", VServerGroupName: "users" },
        id: "rsp-users",
    },
    {
        action: "CreateLoadBalancerTCPListener",
        params: { ...USERS, Bandwidth: "-1", VServerGroupId: "rsp-users" },
    },
    { action: "StartLoadBalancerListener", params: USERS },
];

/** A lab with a network plugin and a user-managed load balancer, the commands, and the consoles of the cloud. */
export class ExplainLab {
    /** Stack whose run mends by default. */
    stack!: Stack;
    /** Findings of each Service when it worked. */
    readonly #known = new Map<string, ReadonlySet<string>>();
    /** Findings of each Service at the last look. */
    readonly #last = new Map<string, ReadonlySet<string>>();

    private constructor(
        readonly session: Session,
        readonly plugin: Plugin,
        private readonly commands: Commands,
    ) {}

    static async start(plugin: Plugin, seed: object = {}): Promise<ExplainLab> {
        const session = await startWorld({ isResident: true });
        await installPlugin(session, plugin);
        await session.cloud("/_seed", { ...seed, calls: USERS_CALLS });
        return new ExplainLab(session, plugin, new Commands(session));
    }

    /** Creates the stack of Services and runs it. */
    async up(name: string, services: readonly ServiceSpec[], config: Readonly<Record<string, string>> = {}) {
        const stack = await Stack.create(this.session, name, services);
        for (const [key, value] of Object.entries(config)) await stack.config(key, value);
        stack.succeed(await stack.up());
        return (this.stack = stack);
    }

    /** Gives back the lab, whose next user finds nothing of the stack. */
    async stop(): Promise<void> {
        this.commands.stop();
        await this.session.lab.stop();
        forget(this.stack);
    }

    /** Returns explain's page of a Service. */
    async explain(name: string): Promise<Explained> {
        const { code, text } = await this.commands.run("explain", `default/${name}`);
        const findings = findingsOf(text);
        this.#last.set(name, new Set(findings.map(({ what }) => what)));
        return { code, first: text.split("\n", 1)[0] ?? "", text, findings };
    }

    /** Asserts that nothing is broken of a Service, and returns explain's page. */
    async works(name: string): Promise<Explained> {
        const page = await this.explain(name);
        expect([page.code, page.text]).toStrictEqual([0, expect.stringMatching(/^[^\n]*: nothing broken was found\n/)]);
        this.#known.set(name, found(this.#last.get(name), "a look"));
        return page;
    }

    show = () => this.commands.run("show");

    slb = (action: string, params: object) => this.cloud("Slb", action, params);
    nlb = (action: string, params: object) => this.cloud("Nlb", action, params);
    /** Calls an API as another tool. The test fails if the call does. */
    async cloud(product: string, action: string, params: object): Promise<void> {
        const call = { product, action, params, as: "other" };
        const { status, body } = await this.session.cloud<{ status: number; body: object }>("/_console", call);
        assert.equal(status, 200, `${action}: ${JSON.stringify(body)}`);
    }
    kubectl = (...args: readonly string[]) => this.session.run("kubectl", [...args]);
    patch = (kind: string, name: string, value: object, ...more: readonly string[]) =>
        this.kubectl("patch", kind, name, "--type", "merge", "--patch", JSON.stringify(value), ...more);
    annotate = (name: string, suffix: string, ...more: readonly string[]) =>
        this.kubectl("annotate", "service", name, `service.beta.kubernetes.io/${suffix}`, ...more);
    refresh = async (stack: Stack | Program = this.stack): Promise<string> =>
        stack.succeed(await stack.up("--refresh"));
    fault = (fault: object) => this.session.cloud("/_faults", [fault]);
    noFaults = () => this.session.cloud("/_faults", undefined, "DELETE");

    async members(id: string): Promise<readonly CloudBackend[]> {
        return (await stateOf(this.session)).slb.vServerGroups.find((one) => one.id === id)?.backends ?? [];
    }

    async removeMembers(id: string): Promise<void> {
        const all = (await this.members(id)).map(serverOf);
        await this.slb("RemoveVServerGroupBackendServers", { VServerGroupId: id, BackendServers: JSON.stringify(all) });
    }

    /** Makes breakages that one remedy mends, compares the answers, does the remedy, and asks again. */
    async check(breakages: readonly Breakage[]): Promise<void> {
        const run = breakages[0]?.mend?.[1] ?? (() => this.refresh());
        const broken: Finding[][] = [];
        let mended: unknown;
        try {
            for (const breakage of breakages) {
                if (!this.#known.has(breakage.service)) await this.works(breakage.service);
                broken.push(await this.#break(breakage));
            }
        } finally {
            for (const { byHand } of breakages.slice(0, broken.length)) await byHand?.();
            mended = await run();
        }
        for (const [index, findings] of broken.entries()) {
            const { service, mend, remedy = mend === undefined ? RUN : mend[0] } = found(breakages[index], "breakage");
            const printed = findings.map((finding) => finding.remedy).join("\n");
            if (remedy === undefined) expect(findings.filter(isOfNow)).toEqual([]);
            else expect(printed).toMatch(remedy);
            // A replaced listener takes its connections with it.
            if (new RegExp(`(?:Listener|LoadBalancer) .*default/${service}\\b.*\\breplaced\\b`).test(String(mended)))
                expect(printed).toMatch(/connections .*break|new address/);
            const known = this.#known.get(service);
            const left = (await this.works(service)).findings.filter(isOfNow);
            expect(left.filter(({ what }) => known?.has(what) !== true)).toEqual([]);
        }
    }

    /** Makes a breakage, and returns what is found then and was not before, or the message where nothing can be. */
    async #break({ service, breakIt, first, text, code = 1 }: Breakage): Promise<Finding[]> {
        const before = this.#last.get(service);
        await breakIt();
        const said = await this.explain(service);
        expect([said.code, said.first]).toStrictEqual([this.#of(code), expect.stringMatching(this.#of(first))]);
        if (text !== undefined) expect(said.text).toMatch(this.#of(text));
        if (said.first.startsWith("error: ")) return [{ what: said.first, verdict: "error", remedy: said.text }];
        return said.findings.filter(({ what }) => before?.has(what) !== true);
    }

    #of<Value extends RegExp | number>(value: Value | Readonly<Record<Plugin, Value>>): Value {
        return typeof value === "object" && this.plugin in value
            ? (value as Readonly<Record<Plugin, Value>>)[this.plugin]
            : (value as Value);
    }
}

/** True unless what was found is an event that is over: the cluster may have had something to say at any time. */
const isOfNow = ({ verdict }: Finding): boolean => verdict !== "history";

/** Returns a member as the API names it. */
export const serverOf = ({ serverId, serverIp, port, type }: CloudBackend) => ({
    ServerId: serverId,
    Port: port,
    Type: type,
    ...(type === "eni" ? { ServerIp: serverIp } : {}),
});

/**
 * Tests each breakage that can happen with a plugin. A sample has each with one plugin, in turn for each Service, and
 * one of those that go the same way.
 */
export function testBreakages(rows: readonly Breakage[], plugin: Plugin, lab: () => ExplainLab): void {
    const some = WHOLE ? rows : rows.filter(({ like }) => like === undefined);
    const likes = new Set(rows.flatMap(({ like }) => like ?? []));
    assert.deepEqual(
        [...likes].filter((like) => !some.some(({ what }) => what === like)),
        [],
    );
    for (const group of mendedAtOnce(some.filter((row) => pluginsOf(row, some).includes(plugin))))
        test(`explained and mended: ${group.map(({ what }) => what).join("; ")}`, () => lab().check(group));
}

/** Returns the plugins with which a row is tested. */
function pluginsOf(row: Breakage, rows: readonly Breakage[]): readonly Plugin[] {
    if (row.only !== undefined) return [row.only];
    if (WHOLE || isSplit(row)) return PLUGINS;
    const before = rows.slice(0, rows.indexOf(row)).filter(({ service }) => service === row.service);
    const below = before.at(-1);
    if (row.onTop) return pluginsOf(found(below, `breakage below ${row.what}`), rows);
    return PLUGINS.filter((_, index) => index === before.filter(({ onTop }) => !onTop).length % PLUGINS.length);
}

/** Groups breakages that a run mends: of different Services, or each on top of another. Each of the others is alone. */
function mendedAtOnce(rows: readonly Breakage[]): Breakage[][] {
    const runs: Breakage[][] = [];
    for (const row of rows.filter(({ mend }) => mend === undefined)) {
        const has = (group: readonly Breakage[]) => group.some(({ service }) => service === row.service);
        const run = row.onTop ? runs.findLast(has) : runs.find((group) => !has(group));
        if (run === undefined) runs.push([row]);
        else run.push(row);
    }
    return [...runs, ...rows.filter(({ mend }) => mend !== undefined).map((row) => [row])];
}

/** Reports whether the answer depends on the plugin. */
const isSplit = ({ code, first, text }: Breakage): boolean =>
    [code, first, text].some((one) => typeof one === "object" && !(one instanceof RegExp));
