/**
 * Random events of a cluster for the sync controller: in the end the group has the members of an independent model, and
 * no user-managed member is changed.
 */
import { isDeepStrictEqual } from "node:util";
import type { PodObject } from "../../../../provider/service/objects";
import type { BindingSpec } from "../../../../provider/sync/binding/spec";
import { GatedPods } from "../../../../provider/sync/live/pods";
import { Simulation } from "../../../../test/support/simulation";
import { endpoint, gatedPod, MARK, node, podSpec, service, slice, spec } from "../../../../test/support/sync-world";
import { chanceOf, type ModelNode, type ModelPod, outage } from "./parts";
import { strangersBinding, strangersService } from "./strangers";

/** Events between two comparisons with the model. */
const ROUND = 100;

const KINDS = ["nodes with pods", "all nodes", "pods", "pods with a gate"] as const;

/** Life of a Service under random events. */
class Life {
    readonly chance: () => number;
    readonly sim = new Simulation();
    readonly nodes = new Map<string, ModelNode>();
    readonly pods = new Map<string, ModelPod>();
    readonly kind: (typeof KINDS)[number];
    removeUnscheduled = false;
    labelNeeded = false;
    /** True if the second slice belongs to another Service. */
    moved = false;
    /** Part of the Service's selector: a rollout of some tools changes it. */
    colour = 0;
    made = 0;
    readonly #gated: GatedPods;
    #watched = false;

    constructor(seed: number) {
        this.chance = chanceOf(seed);
        this.kind = KINDS[seed % KINDS.length] ?? "pods";
        for (const name of ["a", "b", "c"]) this.nodes.set(name, { ready: true, cordoned: false, labelled: true });
        this.#gated = new GatedPods({
            get: (_, name) => Promise.resolve(this.podObject(name.replace("pod-", ""))),
            watch: () => {
                this.#watched = true;
                for (const ip of this.pods.keys()) this.putPod(ip);
                return () => void (this.#watched = false);
            },
            isBound: () => true,
            failed: () => undefined,
        });
        this.putService();
        const strangers = strangersService("a");
        this.sim.put("service", strangers.service);
        this.sim.put("slice", strangers.slice);
        for (const name of this.nodes.keys()) this.putNode(name);
        this.putSlice();
        this.sim.bind(this.spec());
    }

    pick<T>(list: readonly T[]): T | undefined {
        return list[Math.floor(this.chance() * list.length)];
    }

    spec(): BindingSpec {
        const more: Partial<BindingSpec> = {
            allowEmpty: true,
            ...(this.removeUnscheduled ? { removeUnscheduled: true } : {}),
            ...(this.labelNeeded ? { nodeSelector: { pool: "web" } } : {}),
        };
        if (this.kind === "pods" || this.kind === "pods with a gate") return podSpec(more);
        return spec({ ...more, externalTrafficPolicy: this.kind === "all nodes" ? "Cluster" : "Local" });
    }

    putNode(name: string): void {
        const found = this.nodes.get(name);
        const base = node(name, found?.ready ?? true);
        if (found === undefined) return this.sim.remove("node", base);
        this.sim.put("node", {
            ...base,
            metadata: { ...base.metadata, labels: found.labelled ? { pool: "web" } : {} },
            spec: { ...base.spec, unschedulable: found.cordoned },
        });
    }

    putSlice(): void {
        for (const number of [1, 2] as const) {
            const pods = [...this.pods].filter(([, pod]) => pod.slice === number);
            const made = slice(...pods.map(([ip, pod]) => endpoint(ip, pod.node, pod.state)));
            const of = number === 2 && this.moved ? "other" : "web";
            this.sim.put("slice", {
                ...made,
                metadata: { ...made.metadata, name: `web-${number}`, labels: { "kubernetes.io/service-name": of } },
            });
        }
        for (const ip of this.pods.keys()) this.putPod(ip);
        void this.#gated.look(service(), this.sim.store.observe("shop/web").endpointSlices);
    }

    putService(): void {
        const { metadata, spec: fields } = service();
        const selector = { app: "web", colour: String(this.colour) };
        this.sim.put("service", { metadata, spec: { ...fields, selector } });
    }

    podObject(ip: string): PodObject | undefined {
        const pod = this.pods.get(ip);
        return pod === undefined ? undefined : gatedPod(ip, pod.contained, pod.state === "ready" ? "True" : undefined);
    }

    putPod(ip: string): void {
        const pod = this.podObject(ip);
        if (this.kind === "pods with a gate" && this.#watched && pod !== undefined) this.sim.put("pod", pod);
    }

    /** Acts as the kubelet: pods are ready once their containers are, and their gates are set. */
    setReady(): void {
        const set = new Set(this.sim.conditions.filter(([, status]) => status === "True").map(([name]) => name));
        for (const [ip, pod] of this.pods)
            if (pod.state === "waiting" && pod.contained && (this.kind !== "pods with a gate" || set.has(`pod-${ip}`)))
                pod.state = "ready";
        this.putSlice();
    }

    /** Reports whether a pod takes traffic, or would once the load balancer has it. */
    serves(pod: ModelPod): boolean {
        const gated = this.kind === "pods with a gate" && pod.state === "waiting" && pod.contained;
        return (pod.state === "ready" || gated) && !(this.moved && pod.slice === 2);
    }

    /** Returns the desired members of the group after all events, computed without the product's own functions. */
    desired(): Record<string, number> {
        const weights: Record<string, number> = {};
        const usable = (one: ModelNode | undefined): boolean =>
            one !== undefined &&
            one.ready &&
            !(this.removeUnscheduled && one.cordoned) &&
            !(this.labelNeeded && !one.labelled);
        if (this.kind === "all nodes") {
            for (const [name, one] of this.nodes) if (usable(one)) weights[`i-${name}`] = 100;
            return weights;
        }
        for (const [ip, pod] of this.pods) {
            if (!this.serves(pod)) continue;
            if (this.kind === "pods" || this.kind === "pods with a gate") weights[`${ip}:8080`] = 100;
            else if (usable(this.nodes.get(pod.node))) weights[`i-${pod.node}`] = (weights[`i-${pod.node}`] ?? 0) + 1;
        }
        return weights;
    }

    /** Something happens. */
    async event(): Promise<void> {
        const { sim } = this;
        const name = this.pick([...this.nodes.keys()]);
        const ip = this.pick([...this.pods.keys()]);
        const one = name === undefined ? undefined : this.nodes.get(name);
        const pod = ip === undefined ? undefined : this.pods.get(ip);
        const set = (state: ModelPod["state"]): void => {
            if (pod !== undefined) pod.state = state;
            this.putSlice();
        };
        const events: (() => unknown)[] = [
            () => {
                const fresh = `10.${Math.floor(this.made / 250)}.0.${(this.made++ % 250) + 1}`;
                const of = this.chance() < 0.8 ? 1 : 2;
                if (this.pods.size < 40)
                    this.pods.set(fresh, { node: name ?? "a", slice: of, state: "waiting", contained: false });
                this.putSlice();
            },
            () => {
                for (const waiting of this.pods.values()) if (waiting.state === "waiting") waiting.contained = true;
                this.setReady();
            },
            () => set("ready"),
            () => set(this.pick(["ready", "waiting", "draining", "gone"] as const) ?? "ready"),
            () => set("draining"),
            () => {
                if (ip !== undefined && (pod?.state !== "ready" || this.pods.size > 20)) this.pods.delete(ip);
                this.putSlice();
            },
            () => {
                const fresh = `n${this.made++}`;
                if (this.nodes.size < 12)
                    this.nodes.set(fresh, { ready: true, cordoned: false, labelled: this.chance() < 0.7 });
                this.putNode(fresh);
            },
            () => {
                if (name === undefined || this.nodes.size <= 1) return;
                this.nodes.delete(name);
                this.putNode(name);
            },
            () => {
                if (one === undefined || name === undefined) return;
                const field = this.pick(["ready", "cordoned", "labelled"] as const) ?? "ready";
                one[field] = !one[field];
                this.putNode(name);
            },
            () => {
                if (this.chance() < 0.5) this.removeUnscheduled = !this.removeUnscheduled;
                else this.labelNeeded = !this.labelNeeded;
                sim.bind(this.spec());
            },
            () => this.setReady(),
            () => {
                // Blue and green: the endpoints of before go at once.
                this.colour++;
                for (const gone of this.pods.values()) if (this.chance() < 0.8) gone.state = "gone";
                this.putService();
                this.putSlice();
            },
            () => {
                this.moved = !this.moved;
                this.putSlice();
            },
            () => sim.put("binding", strangersBinding(this.chance())),
            () => sim.remove("binding", strangersBinding(this.chance())),
            () => this.editInConsole(),
            () => {
                const times = Math.ceil(this.chance() * 3);
                const lost = this.chance() < 0.5;
                let left = times;
                const failing = () => (left-- > 0 ? outage(lost) : undefined);
                sim.fault = lost ? () => undefined : failing;
                sim.afterwards = lost ? failing : () => undefined;
            },
            () => this.changeLeader(),
            () => sim.controller.resync(),
            () => sim.pass(Math.floor(this.chance() * 90_000)),
        ];
        // Without a leader nothing happens for long, so another is found soon.
        if (!sim.leads && this.chance() < 0.3) this.changeLeader();
        await this.pick(events)?.();
        // Most events come while the last event is still worked on.
        if (this.chance() < 0.3) await sim.settle();
    }

    editInConsole(): void {
        const { sim } = this;
        const own = sim.servers.filter(({ mark }) => mark === MARK);
        const server = this.pick(own);
        if (server === undefined) return;
        sim.servers =
            this.chance() < 0.5
                ? sim.servers.filter((one) => one !== server)
                : sim.servers.map((one) =>
                      one === server ? { ...one, weight: 1 + Math.floor(this.chance() * 99) } : one,
                  );
    }

    changeLeader(): void {
        const { sim } = this;
        sim.leads = !sim.leads;
        sim.controller.forget();
        if (sim.leads) sim.controller.resync();
    }

    /** Everything comes to rest: no faults, a leader, a resync, and every drain is over. */
    async rest(): Promise<void> {
        const { sim } = this;
        sim.fault = () => undefined;
        sim.afterwards = () => undefined;
        if (!sim.leads) this.changeLeader();
        await sim.settle();
        sim.controller.resync();
        await sim.pass(310_000);
        await sim.pass(310_000);
    }
}

/** Lets a Service live through so many random events. Gives what is wrong, or undefined. */
export async function walkSync(seed: number, events: number): Promise<string | undefined> {
    const life = new Life(seed);
    const user = life.sim.servers.map((server) => ({ ...server }));
    for (let count = 1; count <= events; count++) {
        await life.event();
        if (count % ROUND !== 0 && count !== events) continue;
        await life.rest();
        const others = life.sim.servers.filter(({ mark }) => mark !== MARK);
        const [found, desired] = [
            [life.sim.weights(), others],
            [life.desired(), user],
        ];
        if (!isDeepStrictEqual(found, desired))
            return `seed ${seed}, ${life.kind}, after ${count} events: ${JSON.stringify(found)} instead of ${JSON.stringify(desired)}`;
    }
    return undefined;
}
