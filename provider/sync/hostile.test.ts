/** Bindings of people who may create bindings in a namespace, and want what is not theirs. */
import { expect, test } from "@jest/globals";
import { ownershipKey } from "../schema/names";
import type { BindingSpec } from "./binding/spec";
import { Simulation } from "../../test/support/simulation";
import { binding, endpoint, MARK, node, NLB_MARK, podSpec, service, slice, spec } from "../../test/support/sync-world";

const EVIL_MARK = ownershipKey(30666, { namespace: "evil", name: "mine", clusterId: "c1" });

/** A Service of namespace evil with a pod of its own. */
function intrude(sim: Simulation): void {
    const { spec: fields } = service({ nodePort: 30666 });
    sim.put("service", { metadata: { name: "mine", namespace: "evil", uid: "uid-mine" }, spec: fields });
    const own = slice(endpoint("10.6.6.6", "b"));
    sim.put("slice", {
        ...own,
        metadata: { name: "mine-1", namespace: "evil", labels: { "kubernetes.io/service-name": "mine" } },
    });
}

/** Binds Service evil/mine, older than every other binding. */
function bindEvil(sim: Simulation, more: Partial<BindingSpec>): void {
    const made = binding(spec({ serviceName: "mine", nodePort: 30666, ownershipMark: EVIL_MARK, ...more }), "mine");
    sim.put("binding", {
        ...made,
        metadata: { ...made.metadata, namespace: "evil", creationTimestamp: "2020-01-01T00:00:00Z" },
    });
}

/** Service shop/web in its group, without the attacker. */
async function victim(withBinding = true): Promise<Simulation> {
    const sim = new Simulation();
    sim.cluster(spec(), [node("a"), node("b")], slice(endpoint("10.0.0.1", "a")));
    await sim.settle();
    if (!withBinding) sim.remove("binding", binding(spec()));
    intrude(sim);
    return sim;
}

const ATTACKS: readonly (readonly [string, Partial<BindingSpec>, string, boolean?])[] = [
    ["its own mark in the group of another Service", {}, "NotOwned"],
    ["its own mark in the group of a Service without a binding", {}, "NotOwned", false],
    ["the mark of another Service", { ownershipMark: MARK }, "InvalidSpec"],
    ["the mark of another Service without a binding", { ownershipMark: MARK }, "InvalidSpec", false],
    [
        "the mark of a Service of its name in another cluster",
        { ownershipMark: EVIL_MARK.replace(/c1$/, "c2") },
        "InvalidSpec",
    ],
    ["a mark of the other kind of load balancer", { ownershipMark: NLB_MARK }, "InvalidSpec"],
    ["a mark that is none", { ownershipMark: "by hand" }, "InvalidSpec"],
    [
        "a user-managed group that nobody has listed",
        { serverGroup: { id: "rsp-1", type: "VServer", userManaged: true } },
        "InvalidSpec",
    ],
    ["a region in other letters", { region: "CN-HANGZHOU", ownershipMark: MARK }, "InvalidSpec"],
    ["a region that leads to a host of its own", { region: "attacker.example:443/" }, "InvalidSpec"],
    ["a group's id in other letters", { serverGroup: { id: "RSP-1", type: "VServer" } }, "InvalidSpec"],
];

for (const [what, more, reason, withBinding] of ATTACKS) {
    test(`a binding with ${what} writes nothing, and that of the Service goes on`, async () => {
        const sim = await victim(withBinding);
        const before = sim.servers;
        sim.calls.length = 0;
        bindEvil(sim, more);
        await sim.settle();
        expect(sim.statuses.at(-1)).toMatchObject({ conditions: [{ status: "False", reason }] });
        expect(sim.calls.filter((call) => call !== "name" && call !== "describe")).toStrictEqual([]);
        expect(sim.servers).toStrictEqual(before);
        sim.bind(spec());
        sim.put("slice", slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b")));
        await sim.settle();
        expect(sim.weights()).toStrictEqual({ "i-a": 1, "i-b": 1 });
        expect(sim.weights(EVIL_MARK)).toStrictEqual({});
    });
}

test("a binding that is refused is asked of the cloud no further, and says what is to be done", async () => {
    const sim = await victim();
    sim.calls.length = 0;
    bindEvil(sim, { ownershipMark: MARK, region: "cn-hangzhou" });
    await sim.settle();
    expect(sim.calls).toStrictEqual([]);
    expect(sim.statuses.at(-1)?.conditions?.[0]?.message).toBe(
        `spec.ownershipMark: "${MARK}" is not a mark of Service evil/mine in cluster c1; the backends stay. ` +
            "Remedy: correct the spec, or run pulumi up, which writes it again.",
    );
});

test("a user-managed group of any name is filled for the namespace that the operator lists", async () => {
    const sim = new Simulation();
    sim.name = "users' group";
    sim.userManagedGroups.push("shop/rsp-1");
    const joined = { serverGroup: { id: "rsp-1", type: "VServer" as const, userManaged: true } };
    sim.cluster(spec(joined), [node("a"), node("b")], slice(endpoint("10.0.0.1", "a")));
    intrude(sim);
    bindEvil(sim, joined);
    await sim.settle();
    expect(sim.weights()).toStrictEqual({ "i-a": 1 });
    expect(sim.weights(EVIL_MARK)).toStrictEqual({});
    sim.bind(spec());
    await sim.settle();
    expect(sim.statuses.at(-1)).toMatchObject({ conditions: [{ status: "False", reason: "NotOwned" }] });
    expect(sim.weights()).toStrictEqual({ "i-a": 1 });
});

test("the next binding of a Service removes the members that a deleted one added", async () => {
    const sim = new Simulation();
    sim.cluster(podSpec(), [node("a")], slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "a")));
    await sim.settle();
    sim.remove("binding", binding(podSpec()));
    await sim.settle();
    expect(sim.weights()).toStrictEqual({ "10.0.0.1:8080": 100, "10.0.0.2:8080": 100 });
    sim.put("slice", slice(endpoint("10.0.0.1", "a")));
    sim.bind(podSpec(), "anew", "2026-03-01T00:00:00Z");
    await sim.settle();
    expect(sim.weights()).toStrictEqual({ "10.0.0.1:8080": 100 });
    expect(sim.statuses.at(-1)).toMatchObject({ backends: { userManaged: 1 } });
});

test("the next leader reads the name of a refused group again, and fills it once it matches", async () => {
    const sim = new Simulation();
    sim.name = ownershipKey(30080, { namespace: "other", name: "web", clusterId: "c1" });
    sim.cluster(spec(), [node("a")], slice(endpoint("10.0.0.1", "a")));
    await sim.settle();
    expect(sim.statuses.at(-1)).toMatchObject({ conditions: [{ reason: "NotOwned" }] });
    sim.name = MARK;
    sim.controller.resync();
    await sim.settle();
    expect(sim.weights()).toStrictEqual({ "i-a": 1 });
});
