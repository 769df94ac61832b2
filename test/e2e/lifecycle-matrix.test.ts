/** What is kept and what is deleted: managed, reused and preserved instances, when a Service is deleted, changes its type, loses its instance or requests another one. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Session } from "../../lab";
import { type CloudInstance, type CloudState, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";

const USERS = "lb-users";
const FORCED = { "force-override-listeners": "true" };

const plain: ServiceSpec = { name: "plain", ports: [{ port: 80 }] };
const typed: ServiceSpec = { name: "typed", ports: [{ port: 81 }] };
const kept: ServiceSpec = { name: "kept", ports: [{ port: 82 }], annotations: { "preserve-lb-on-delete": "true" } };
const guest: ServiceSpec = { name: "guest", ports: [{ port: 83 }], annotations: { id: USERS, ...FORCED } };

let session: Session;
let stack: Stack;

before(async () => {
    session = await startWorld();
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

after(async () => {
    try {
        await stack.clear();
    } finally {
        await session.lab.stop();
    }
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
    assert.deepEqual(
        (await session.calls(since)).filter((call) => call.mutating),
        [],
    );
}

let preserved = "";

test("preserving by changing the type is refused, with and without the annotation in the new manifest", async () => {
    await withoutWrites(async () => {
        stack.write([plain, typed, { ...kept, type: "ClusterIP" }, guest]);
        assert.match(
            stack.fail(await stack.preview()),
            /error\[service-type\].*done by deleting the Service, not by changing its type to ClusterIP/,
        );
        stack.write([plain, typed, { name: "kept", ports: [{ port: 82 }], type: "ClusterIP" }, guest]);
        assert.match(
            stack.fail(await stack.preview()),
            /Service default\/kept asks to preserve its load balancer, .* Remedy: /,
        );
    });
});

test("deleting or changing the type: managed instances are deleted, reused and preserved ones stay, Services of another type stay", async () => {
    const start = await stateOf(session);
    const [uid, clusterIp] = [await field("typed", ".metadata.uid"), await field("typed", ".spec.clusterIP")];
    preserved = instanceOf(start, "kept")?.id ?? "";
    const gone = [instanceOf(start, "plain")?.id, instanceOf(start, "typed")?.id];
    stack.write([
        { ...typed, type: "ClusterIP" },
        { name: "guest", ports: guest.ports ?? [], type: "ClusterIP" },
    ]);
    const text = stack.succeed(await stack.preview());
    assert.match(
        text,
        /Service default\/typed changes from type LoadBalancer to ClusterIP and can no longer be reached through a load balancer\. Its load balancer is deleted/,
    );
    assert.match(
        text,
        /Service default\/guest changes from type LoadBalancer to ClusterIP .* The load balancer that it reuses stays/,
    );
    stack.succeed(await stack.up());
    const state = await stateOf(session);
    assert.deepEqual(state.slb.loadBalancers.map(({ id }) => id).sort(), [preserved, USERS].sort());
    assert.ok(gone.every((id) => id !== undefined && id !== preserved));
    assert.equal(
        await kubectl("get", "services", "-o", "jsonpath={.items[*].metadata.name}"),
        "guest kubernetes typed",
    );
    assert.deepEqual(
        [
            await field("typed", ".metadata.uid"),
            await field("typed", ".spec.clusterIP"),
            await field("typed", ".spec.type"),
            await ingress("typed"),
        ],
        [uid, clusterIp, "ClusterIP", ""],
    );

    const instance = state.slb.loadBalancers.find(({ id }) => id === preserved);
    assert.deepEqual(
        [instance?.tags, instance?.deleteProtection, instance?.modificationProtectionStatus],
        [{}, "off", "NonProtection"],
    );
    assert.deepEqual(
        state.slb.listeners.map(({ loadBalancerId, port, status }) => [loadBalancerId, port, status]),
        [[preserved, 82, "running"]],
    );
    assert.deepEqual(
        state.slb.vServerGroups.map(({ loadBalancerId, backends }) => [loadBalancerId, backends.length]),
        [[preserved, 3]],
    );
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
});

test("back at LoadBalancer the Service gets a new instance; a preserved instance takes a new Service", async () => {
    const uid = await field("typed", ".metadata.uid");
    const adopting: ServiceSpec = { ...kept, annotations: { id: preserved, ...FORCED } };
    stack.write([typed, adopting, guest]);
    stack.succeed(await stack.up());
    const state = await stateOf(session);
    assert.equal(await field("typed", ".metadata.uid"), uid);
    assert.equal(await ingress("typed"), instanceOf(state, "typed")?.address);
    assert.equal(instanceOf(state, "kept")?.id, preserved);
    const listener = state.slb.listeners.find(({ port }) => port === 82);
    const group = state.slb.vServerGroups.find(({ id }) => id === listener?.attributes["VServerGroupId"]);
    assert.ok(group?.backends.every(({ port }) => `k8s/${port}/kept/default/c-test` === group.name));
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    stack.write([typed, guest]);
    stack.succeed(await stack.up());
    const after = await stateOf(session);
    assert.deepEqual(
        [
            after.slb.listeners.filter(({ loadBalancerId }) => loadBalancerId === preserved),
            after.slb.vServerGroups.filter(({ loadBalancerId }) => loadBalancerId === preserved),
        ],
        [[], []],
    );
    assert.ok(after.slb.loadBalancers.some(({ id }) => id === preserved));
});

test("an instance that was deleted outside Pulumi is created again after a refresh, and the status is updated", async () => {
    const lost = instanceOf(await stateOf(session), "typed");
    assert.ok(lost);
    await other("SetLoadBalancerDeleteProtection", { LoadBalancerId: lost.id, DeleteProtection: "off" });
    await other("DeleteLoadBalancer", { LoadBalancerId: lost.id });
    assert.match(stack.succeed(await stack.preview("--refresh")), /create/);
    stack.succeed(await stack.up("--refresh"));
    const found = instanceOf(await stateOf(session), "typed");
    assert.ok(found !== undefined && found.id !== lost.id);
    assert.equal(await ingress("typed"), found.address);
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
});

test("created and reused do not turn into each other, nor one instance into another, unless that is allowed in so many words", async () => {
    const settings = (annotations: Record<string, string>) =>
        stack.write([
            { ...typed, annotations },
            { ...guest, ports: [{ port: 83 }] },
        ]);
    await withoutWrites(async () => {
        settings({ id: preserved, ...FORCED });
        assert.match(
            stack.fail(await stack.preview()),
            /id cannot change from unset to "lb-[^"]+": .* would be left behind, and nobody would delete it\. Remedy: remove id, or delete the Service/,
        );
        stack.write([typed, { ...guest, annotations: { id: preserved, ...FORCED } }]);
        assert.match(stack.fail(await stack.preview()), /Service default\/guest: id cannot change from "lb-users" to/);
        stack.write([typed, { ...guest, annotations: {} }]);
        assert.match(
            stack.fail(await stack.preview()),
            /Service default\/guest: id cannot change from "lb-users" to unset/,
        );
    });
    const made = instanceOf(await stateOf(session), "typed");
    await stack.config("allowReplacement", '{"default/typed": ["id"]}');
    settings({ id: preserved, ...FORCED });
    assert.match(stack.succeed(await stack.preview()), /ApplicationLoadBalancer.*delete/);
    stack.succeed(await stack.up());
    const moved = await stateOf(session);
    assert.equal(instanceOf(moved, "typed")?.id, preserved);
    assert.equal(await ingress("typed"), instanceOf(moved, "typed")?.address);
    assert.ok(!moved.slb.loadBalancers.some(({ id }) => id === made?.id));
    settings({ id: USERS, ...FORCED });
    stack.succeed(await stack.up());
    assert.equal(instanceOf(await stateOf(session), "typed")?.id, USERS);
    settings({});
    stack.succeed(await stack.up());
    const back = await stateOf(session);
    assert.ok(![preserved, USERS, undefined].includes(instanceOf(back, "typed")?.id));
    assert.deepEqual(
        back.slb.listeners.filter(({ loadBalancerId }) => loadBalancerId === USERS).map(({ port }) => port),
        [83],
    );
    await stack.config("allowReplacement", '{"default/typed": ["addressType", "vswitchId"]}');
    settings({ "address-type": "intranet", "vswitch-id": "vsw-lab-a" });
    stack.succeed(await stack.up());
    const inner = instanceOf(await stateOf(session), "typed");
    assert.equal(inner?.addressType, "intranet");
    assert.equal(await ingress("typed"), inner.address);
    await stack.config("allowReplacement", "{}");
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
});

test("a Service that never got its instance may ask for another one", async () => {
    const inner = { ...typed, annotations: { "address-type": "intranet", "vswitch-id": "vsw-lab-a" } };
    await session.cloud("/_faults", {
        action: "CreateLoadBalancer",
        code: "InsufficientBalance",
        status: 400,
        message: "sold out",
    });
    stack.write([inner, guest, plain]);
    assert.match(stack.fail(await stack.up()), /sold out/);
    await session.cloud("/_faults", undefined, "DELETE");
    const other = { ...plain, annotations: { "address-type": "intranet", "vswitch-id": "vsw-lab-b" } };
    stack.write([inner, guest, other]);
    stack.succeed(await stack.up());
    assert.equal(instanceOf(await stateOf(session), "plain")?.addressType, "intranet");
    stack.write([inner, guest, plain]);
    assert.match(
        stack.fail(await stack.preview()),
        /Service default\/plain: addressType cannot change from "intranet" to "internet"/,
    );
    stack.write([inner, guest, other]);
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
        assert.match(
            stack.fail(await stack.preview()),
            /Service default\/plain: the Cloud Controller Manager \(CCM\) looks after this Service: finalizer service\.k8s\.alibaba\/resources\. Remedy: /,
        );
    });
    await kubectl("patch", "service", "plain", "--type", "merge", "-p", '{"metadata":{"finalizers":null}}');
    stack.succeed(await stack.up("--expect-no-changes"));
});

test("a protected Service and its instance cannot be deleted until protection is switched off", async () => {
    const inner = (name: string, vSwitch: string, port: number) => ({
        name,
        ports: [{ port }],
        annotations: { "address-type": "intranet", "vswitch-id": vSwitch },
    });
    const before = [inner("typed", "vsw-lab-a", 81), guest, inner("plain", "vsw-lab-b", 80)];
    await stack.config("protect", '["default/plain"]');
    stack.succeed(await stack.up());
    await withoutWrites(async () => {
        stack.write(before.slice(0, 2));
        assert.match(stack.fail(await stack.up()), /protected/);
    });
    assert.match(stack.fail(await stack.run("destroy", ["--preview-only"])), /protected/);
    stack.write(before);
    await stack.config("protect", "[]");
    stack.succeed(await stack.up());
});

test("destroy reports which protection it switches off, and leaves user-managed objects", async () => {
    assert.match(
        stack.succeed(await stack.run("destroy", ["--preview-only", "--diff"])),
        /switchesOff[\s\S]*deleteProtection/,
    );
    stack.succeed(await stack.destroy());
    const { slb } = await stateOf(session);
    assert.deepEqual(
        [slb.loadBalancers.map(({ id }) => id).sort(), slb.listeners, slb.vServerGroups],
        [[preserved, USERS].sort(), [], []],
    );
    assert.equal(await kubectl("get", "services", "-o", "jsonpath={.items[*].metadata.name}"), "kubernetes");
});
