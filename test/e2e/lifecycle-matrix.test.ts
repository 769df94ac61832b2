/**
 * Kept and deleted objects: managed, reused and preserved instances, when a Service is deleted, changes its type, loses
 * its instance or requests another instance.
 * Only a run shows which objects the engine deletes, replaces and keeps.
 *
 * Requirements: E13, E16, E19, F07, F08, F09, F10, F11, F12, F13, F14, F15, F16, F18, F19, F22, I07, I18, I19, I26,
 * I62.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { forget } from "../support/forget";
import { found } from "../support/found";
import { pattern } from "../support/pattern";
import { type CloudInstance, type CloudState, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";

const USERS = "lb-users";
const FORCED = { "force-override-listeners": "true" };

const plain: ServiceSpec = { name: "plain", ports: [{ port: 80 }] };
const typed: ServiceSpec = { name: "typed", ports: [{ port: 81 }] };
const kept: ServiceSpec = { name: "kept", ports: [{ port: 82 }], annotations: { "preserve-lb-on-delete": "true" } };
const guest: ServiceSpec = { name: "guest", ports: [{ port: 83 }], annotations: { id: USERS, ...FORCED } };

const inner = (name: string, vSwitch: string, port: number): ServiceSpec => ({
    name,
    ports: [{ port }],
    annotations: { "address-type": "intranet", "vswitch-id": vSwitch },
});
/** The Services once two of them are internal. */
const INWARD = [inner("typed", "vsw-lab-a", 81), guest, inner("plain", "vsw-lab-b", 80)];

let session: Session;
let stack: Stack;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    await session.cloud("/_seed", {
        calls: [
            {
                action: "CreateLoadBalancer",
                params: { LoadBalancerName: USERS, AddressType: "internet", InstanceChargeType: "PayByCLCU" },
                id: USERS,
            },
        ],
    });
    stack = await Stack.create(session, "matrix", [plain, typed, kept, guest]);
    stack.succeed(await stack.up());
});

afterAll(async () => {
    await session.lab.stop();
    forget(stack);
});

const other = (action: string, params: object) => session.cloud("/_console", { action, params, as: "other" });
const kubectl = async (...args: string[]) => (await session.run("kubectl", args)).text.trim();
const field = (service: string, path: string) => kubectl("get", "service", service, "-o", `jsonpath={${path}}`);
const ingress = (service: string) => field(service, ".status.loadBalancer.ingress[0].ip");

/** The instance that carries a Service's listener. */
function instanceOf({ slb }: CloudState, service: string): CloudInstance | undefined {
    const listener = slb.listeners.find(({ attributes }) => String(attributes["Description"]).includes(`/${service}/`));
    return slb.loadBalancers.find(({ id }) => id === listener?.loadBalancerId);
}

async function withoutWrites(run: () => Promise<void>): Promise<void> {
    const since = await session.lastCall();
    await run();
    expect((await session.calls(since)).filter((call) => call.mutating)).toStrictEqual([]);
}

let preserved = "";

test("a change of type is refused for a preserved instance, with and without the annotation", async () => {
    await withoutWrites(async () => {
        stack.write([plain, typed, { ...kept, type: "ClusterIP" }, guest]);
        expect(stack.fail(await stack.preview())).toMatch(
            /error\[service-type\].*done by deleting the Service, not by changing its type to ClusterIP/,
        );
        stack.write([plain, typed, { name: "kept", ports: [{ port: 82 }], type: "ClusterIP" }, guest]);
        expect(stack.fail(await stack.preview())).toMatch(
            /Service default\/kept asks to preserve its load balancer, .* Remedy: /,
        );
    });
});

test("deletion or a change of type deletes managed instances and keeps reused or preserved ones", async () => {
    const start = await stateOf(session);
    const [uid, clusterIp] = [await field("typed", ".metadata.uid"), await field("typed", ".spec.clusterIP")];
    preserved = instanceOf(start, "kept")?.id ?? "";
    const gone = [instanceOf(start, "plain")?.id, instanceOf(start, "typed")?.id];
    stack.write([
        { ...typed, type: "ClusterIP" },
        { name: "guest", ports: guest.ports ?? [], type: "ClusterIP" },
    ]);
    const text = stack.succeed(await stack.up());
    expect(text).toMatch(
        pattern(
            /Service default\/typed changes from type LoadBalancer to ClusterIP and can /,
            /no longer be reached through a load balancer\. Its load balancer is deleted/,
        ),
    );
    expect(text).toMatch(
        /Service default\/guest changes from type LoadBalancer to ClusterIP .* The load balancer that it reuses stays/,
    );
    const state = await stateOf(session);
    expect(state.slb.loadBalancers.map(({ id }) => id).sort()).toStrictEqual([preserved, USERS].sort());
    expect(gone.every((id) => id !== undefined && id !== preserved)).toBeTruthy();
    expect(await kubectl("get", "services", "-o", "jsonpath={.items[*].metadata.name}")).toBe("guest kubernetes typed");
    expect([
        await field("typed", ".metadata.uid"),
        await field("typed", ".spec.clusterIP"),
        await field("typed", ".spec.type"),
        await ingress("typed"),
    ]).toStrictEqual([uid, clusterIp, "ClusterIP", ""]);

    const instance = state.slb.loadBalancers.find(({ id }) => id === preserved);
    expect([instance?.tags, instance?.deleteProtection, instance?.modificationProtectionStatus]).toStrictEqual([
        {},
        "off",
        "NonProtection",
    ]);
    expect(state.slb.listeners.map(({ loadBalancerId, port, status }) => [loadBalancerId, port, status])).toStrictEqual(
        [[preserved, 82, "running"]],
    );
    expect(
        state.slb.vServerGroups.map(({ loadBalancerId, backends }) => [loadBalancerId, backends.length]),
    ).toStrictEqual([[preserved, 3]]);
});

test("a Service that returns to LoadBalancer gets a new instance or takes the preserved one", async () => {
    const uid = await field("typed", ".metadata.uid");
    const adopting: ServiceSpec = { ...kept, annotations: { id: preserved, ...FORCED } };
    // Another run may be about to delete a running listener of a Service of that name: the run would wait for that.
    await other("StopLoadBalancerListener", { LoadBalancerId: preserved, ListenerPort: 82, ListenerProtocol: "tcp" });
    stack.write([typed, adopting, guest]);
    stack.succeed(await stack.up());
    const state = await stateOf(session);
    expect(await field("typed", ".metadata.uid")).toBe(uid);
    expect(await ingress("typed")).toBe(instanceOf(state, "typed")?.address);
    expect(instanceOf(state, "kept")?.id).toBe(preserved);
    const listener = state.slb.listeners.find(({ port }) => port === 82);
    const group = state.slb.vServerGroups.find(({ id }) => id === listener?.attributes["VServerGroupId"]);
    expect(group?.backends.every(({ port }) => `k8s/${port}/kept/default/c-test` === group.name)).toBeTruthy();
});

test("an instance deleted outside Pulumi is created again after a refresh", async () => {
    const lost = found(instanceOf(await stateOf(session), "typed"), "instance of typed");
    await other("SetLoadBalancerDeleteProtection", { LoadBalancerId: lost.id, DeleteProtection: "off" });
    await other("DeleteLoadBalancer", { LoadBalancerId: lost.id });
    // The Service that has taken the preserved instance goes.
    stack.write([typed, guest]);
    stack.succeed(await stack.up("--refresh"));
    const after = await stateOf(session);
    const made = found(instanceOf(after, "typed"), "instance of typed");
    expect(made.id).not.toBe(lost.id);
    expect(await ingress("typed")).toBe(made.address);
    expect([
        after.slb.listeners.filter(({ loadBalancerId }) => loadBalancerId === preserved),
        after.slb.vServerGroups.filter(({ loadBalancerId }) => loadBalancerId === preserved),
    ]).toStrictEqual([[], []]);
    expect(after.slb.loadBalancers.some(({ id }) => id === preserved)).toBeTruthy();
});

test("a change between managed and reused, or to another instance, needs allowReplacement", async () => {
    const settings = (annotations: Record<string, string>) =>
        stack.write([
            { ...typed, annotations },
            { ...guest, ports: [{ port: 83 }] },
        ]);
    await withoutWrites(async () => {
        settings({ id: preserved, ...FORCED });
        expect(stack.fail(await stack.preview())).toMatch(
            pattern(
                /id cannot change from unset to "lb-[^"]+": .*/,
                / would be left behind, and nothing would delete it\. Remedy: remove id, or delete the Service/,
            ),
        );
        stack.write([typed, { ...guest, annotations: {} }]);
        expect(stack.fail(await stack.preview())).toMatch(
            /Service default\/guest: id cannot change from "lb-users" to unset/,
        );
    });
    const made = instanceOf(await stateOf(session), "typed");
    await stack.config("allowReplacement", '{"default/typed": ["id"]}');
    settings({ id: preserved, ...FORCED });
    stack.succeed(await stack.up());
    const moved = await stateOf(session);
    expect(instanceOf(moved, "typed")?.id).toBe(preserved);
    expect(await ingress("typed")).toBe(instanceOf(moved, "typed")?.address);
    expect(moved.slb.loadBalancers.some(({ id }) => id === made?.id)).toBeFalsy();
    settings({ id: USERS, ...FORCED });
    stack.succeed(await stack.up());
    expect(instanceOf(await stateOf(session), "typed")?.id).toBe(USERS);
    settings({});
    stack.succeed(await stack.up());
    const back = await stateOf(session);
    expect([preserved, USERS, undefined].includes(instanceOf(back, "typed")?.id)).toBeFalsy();
    expect(
        back.slb.listeners.filter(({ loadBalancerId }) => loadBalancerId === USERS).map(({ port }) => port),
    ).toStrictEqual([83]);
    await stack.config("allowReplacement", '{"default/typed": ["addressType", "vswitchId"]}');
    settings({ "address-type": "intranet", "vswitch-id": "vsw-lab-a" });
    stack.succeed(await stack.up());
    const inner = instanceOf(await stateOf(session), "typed");
    expect(inner?.addressType).toBe("intranet");
    expect(await ingress("typed")).toBe(inner?.address);
    const within = { "address-type": "intranet", "vswitch-id": "vsw-lab-a", ip: inner?.address ?? "" };
    settings(within);
    stack.succeed(await stack.up());
    await stack.config("allowReplacement", '{"default/typed": ["instanceChargeType"]}');
    settings({ ...within, "instance-charge-type": "PayBySpec", spec: "slb.s1.small" });
    stack.succeed(await stack.up());
    const paid = instanceOf(await stateOf(session), "typed");
    expect([paid?.id === inner?.id, paid?.address]).toStrictEqual([false, inner?.address]);
    // A preserved instance stays with its address, and nothing is lost.
    const preserving = { ...within, "instance-charge-type": "PayBySpec", spec: "slb.s1.small" };
    await stack.config("allowReplacement", '{"default/typed": ["resourceGroupId"]}');
    settings({ ...preserving, "preserve-lb-on-delete": "true" });
    stack.succeed(await stack.up());
    settings({ ...preserving, "preserve-lb-on-delete": "true", "resource-group-id": "rg-other" });
    expect(stack.fail(await stack.up())).toMatch(/The vpc Ip is exist/);
    settings(preserving);
    stack.succeed(await stack.up());
    expect(instanceOf(await stateOf(session), "typed")?.id).toBe(paid?.id);
    await stack.config("allowReplacement", "{}");
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
});

/** A Service that names another instance at first than it should. */
const wrong = (id: string): ServiceSpec => ({ name: "wrong", ports: [{ port: 8090 }], annotations: { id } });

test("a Service that has no instance yet may change its id", async () => {
    await session.cloud("/_seed", {
        calls: ["lb-wrong", "lb-right"].map((id) => ({
            action: "CreateLoadBalancer",
            params: { LoadBalancerName: id, AddressType: "internet", InstanceChargeType: "PayByCLCU" },
            id,
        })),
    });
    // The groups cannot be made, so that Service wrong stands in the stack and never gets an address.
    await session.cloud("/_faults", [
        { action: "CreateLoadBalancer", code: "InsufficientBalance", status: 400, message: "sold out" },
        { action: "CreateVServerGroup", code: "OperationFailed", status: 400, message: "no group" },
    ]);
    const [inward] = INWARD as [ServiceSpec, ...ServiceSpec[]];
    stack.write([inward, guest, plain, wrong("lb-wrong")]);
    const text = stack.fail(await stack.up("--continue-on-error"));
    expect(text).toMatch(/sold out/);
    expect(text).toMatch(/no group/);
    await session.cloud("/_faults", undefined, "DELETE");
    stack.write([...INWARD, wrong("lb-right")]);
    stack.succeed(await stack.up());
    const state = await stateOf(session);
    expect(instanceOf(state, "plain")?.addressType).toBe("intranet");
    expect(state.slb.vServerGroups.find((group) => group.name.includes("/wrong/"))?.loadBalancerId).toBe("lb-right");
    for (const [services, refusal] of [
        [[inward, guest, plain], /Service default\/plain: addressType cannot change from "intranet" to "internet"/],
        [[...INWARD, wrong("lb-wrong")], /Service default\/wrong: id cannot change from "lb-right" to "lb-wrong"/],
    ] as const) {
        stack.write(services);
        expect(stack.fail(await stack.preview())).toMatch(refusal);
    }
    stack.write([...INWARD, wrong("lb-right")]);
});

test("a Service that the Cloud Controller Manager manages is refused, with a remedy", async () => {
    await kubectl(
        "patch",
        "service",
        "plain",
        "--type",
        "merge",
        "-p",
        '{"metadata":{"finalizers":["service.k8s.alibaba/resources"]}}',
    );
    await withoutWrites(async () => {
        expect(stack.fail(await stack.preview())).toMatch(
            pattern(
                /Service default\/plain: the Cloud Controller Manager \(CCM\) manages this Service: /,
                /finalizer service\.k8s\.alibaba\/resources\. Remedy: /,
            ),
        );
    });
    await kubectl("patch", "service", "plain", "--type", "merge", "-p", '{"metadata":{"finalizers":null}}');
});

test("a protected Service and its instance cannot be deleted until protection is switched off", async () => {
    await stack.config("protect", '["default/plain"]');
    stack.write(INWARD);
    stack.succeed(await stack.up());
    for (const id of ["lb-wrong", "lb-right"]) await other("DeleteLoadBalancer", { LoadBalancerId: id });
    await withoutWrites(async () => {
        stack.write(INWARD.slice(0, 2));
        const text = stack.fail(await stack.up());
        expect(text).toMatch(/protected/);
        expect(text).toMatch(/config protect names what the folder of manifests does not have: default\/plain/);
    });
    expect(stack.fail(await stack.run("destroy", ["--preview-only"]))).toMatch(/protected/);
    // The object in the cluster is deleted. The load balancer stays, and the next refresh creates the Service again.
    stack.write(INWARD);
    await stack.config("protect", "[]");
    const { id } = instanceOf(await stateOf(session), "plain") ?? {};
    await kubectl("delete", "service", "plain");
    expect(instanceOf(await stateOf(session), "plain")?.id).toBe(id);
    stack.succeed(await stack.up("--refresh"));
    const { text } = await session.run("kubectl", ["get", "service", "plain", "-o", "json"]);
    const { status } = JSON.parse(text) as { status: { loadBalancer: { ingress: { ip: string }[] } } };
    const after = instanceOf(await stateOf(session), "plain");
    expect([after?.id, status.loadBalancer.ingress[0]?.ip]).toStrictEqual([id, after?.address]);
});

test("destroy reports which protection it switches off, and leaves user-managed objects", async () => {
    const text = stack.succeed(await stack.run("destroy", ["--yes", "--diff"]));
    expect(text.split("Resources:")[0]).toMatch(/switchesOff[\s\S]*deleteProtection/);
    const { slb } = await stateOf(session);
    expect([slb.loadBalancers.map(({ id }) => id).sort(), slb.listeners, slb.vServerGroups]).toStrictEqual([
        [preserved, USERS].sort(),
        [],
        [],
    ]);
    expect(await kubectl("get", "services", "-o", "jsonpath={.items[*].metadata.name}")).toBe("kubernetes");
});
