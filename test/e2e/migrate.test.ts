/**
 * Load balancers of the Cloud Controller Manager are adopted and handed back.
 * Only a run shows that the engine imports without a write what another controller has made.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
    ccmObjections,
    dataPath,
    leaveFootprint,
    type Left,
    liveService,
    patch,
} from "../../examples/migrate-from-ccm/ccm";
import type { Session } from "../../lab";
import { eventsOfServices } from "../support/events";
import { onTestFinished } from "../support/finished";
import { pattern } from "../support/pattern";
import { adopting, documents, keysOf, stackOf, startRecorded, untouched } from "../support/recorded";
import { serviceYaml, Stack } from "../support/world";

let session: Session;

beforeAll(async () => {
    session = await startRecorded({ isResident: true });
});
afterAll(() => session.lab.stop());

/** Cloud and Service have to be such that the controller, which takes the Service up, has nothing to do. */
async function assertTakenUp(name: string): Promise<void> {
    expect(ccmObjections(await liveService(session.lab, name), await dataPath(session.lab))).toStrictEqual([]);
}

/** Asserts that the controller leaves a Service alone. */
async function assertLeftAlone(name: string): Promise<void> {
    const { metadata } = await liveService(session.lab, name);
    expect([metadata.finalizers, metadata.labels]).toStrictEqual([undefined, undefined]);
    expect(metadata.annotations?.["service.beta.kubernetes.io/class"]).toBe("ack-loadbalancer.io/clb");
}

/** Recordings that between them have every kind of listener, options beside it, further domains, a name and tags. */
const RECORDINGS = [
    "seed-01-internet-clb-default",
    "seed-11-additional-resource-tags",
    "seed-21-http-sticky-session-insert",
    "seed-23-udp-listener",
    "seed-26-https-domain-extensions",
    "seed-30-connection-drain",
];

test("a load balancer of CCM is adopted, managed and handed back without writes", async () => {
    const lefts: Left[] = [];
    for (const [index, recording] of RECORDINGS.entries()) {
        lefts.push(await leaveFootprint(session.lab, recording, `there-${index}`));
    }
    const stack = await stackOf(
        session,
        "there",
        lefts.map(({ manifest }) => manifest),
    );
    onTestFinished(() => stack.clear());
    await stack.config("adopt", adopting(lefts));

    const preview = await untouched(session, async () => stack.succeed(await stack.preview("--diff")));
    const imports = preview.match(/^ +(?!\+)\S* ?alicloud:.* \(import\)$/gm) ?? [];
    const { loadBalancers, listeners, vServerGroups, domainExtensions } = await dataPath(session.lab);
    expect([preview, imports.length]).toStrictEqual([
        preview,
        loadBalancers.length + listeners.length + vServerGroups.length + domainExtensions.length,
    ]);
    // No resource of the cloud is created.
    expect(preview).not.toMatch(/^ +\+ alicloud:/m);
    expect(preview).not.toMatch(/do not match/);

    await untouched(session, async () => stack.succeed(await stack.up()));
    for (const { live } of lefts) {
        await assertLeftAlone(live.metadata.name);
        // The address stays.
        expect((await liveService(session.lab, live.metadata.name)).status).toStrictEqual(live.status);
    }

    // While a Service is on the list it is looked at, and nothing changes. Once it is off the list, a run costs
    // nothing.
    await untouched(session, async () => stack.succeed(await stack.up("--expect-no-changes")));
    await stack.config("adopt", "{}");
    await stack.config("follow", JSON.stringify(keysOf(lefts)));
    const since = await session.lastCall();
    stack.succeed(await stack.up("--expect-no-changes"));
    expect(await session.calls(since)).toStrictEqual([]);
    await untouched(session, async () => stack.succeed(await stack.up("--refresh", "--expect-no-changes")));

    // It is managed: the cluster gets a node, and an annotation changes.
    await session.lab.addNode({ name: "node-4", instanceId: "i-node4" });
    onTestFinished(() => session.run("kubectl", ["delete", "node", "node-4"]));
    const [first] = lefts as [Left, ...Left[]];
    const changed = {
        ...first.manifest,
        metadata: {
            ...(first.manifest as { metadata: object }).metadata,
            annotations: { "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-scheduler": "wrr" },
        },
    };
    stack.writeText(documents([changed, ...lefts.slice(1).map(({ manifest }) => manifest)]));
    stack.succeed(await stack.up());
    const managed = await dataPath(session.lab);
    // The new node is a backend everywhere.
    expect(managed.vServerGroups.every(({ backends }) => backends.some(({ serverId }) => serverId === "i-node4"))).toBe(
        true,
    );
    expect(
        managed.listeners.find(({ loadBalancerId }) => loadBalancerId === first.loadBalancerId)?.attributes[
            "Scheduler"
        ],
    ).toBe("wrr");

    await patch(session.lab, first.live.metadata.name, {
        metadata: { annotations: { "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-scheduler": "wrr" } },
    });
    await stack.config("handBack", JSON.stringify(keysOf(lefts)));
    await untouched(session, async () => stack.succeed(await stack.up()));
    stack.writeText(
        "# nothing is left to this stack\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: none }\n",
    );
    await untouched(session, async () => stack.succeed(await stack.up()));
    for (const { live } of lefts) {
        await assertTakenUp(live.metadata.name);
    }
});

test("ports of one nodePort, which share a group under CCM, get a group each, without a gap", async () => {
    const left = await leaveFootprint(session.lab, "clb-port-tcp-udp-same-nodeport", "twin");
    const stack = await stackOf(session, "twin", [left.manifest]);
    onTestFinished(() => stack.clear());
    const groupsOf = async () => {
        const { listeners, vServerGroups } = await dataPath(session.lab);
        return listeners
            .filter(({ loadBalancerId }) => loadBalancerId === left.loadBalancerId)
            .map(({ attributes }) => {
                const group = vServerGroups.find(({ id }) => id === attributes["VServerGroupId"]);
                return { id: group?.id, backends: group?.backends.length };
            });
    };
    const [before] = await groupsOf();
    await stack.config("adopt", adopting([left]));
    expect(stack.succeed(await stack.preview())).toMatch(/listener udp:\d+ +serverGroupId +\S+ +\(to be created\)/);
    stack.succeed(await stack.up());
    expect(new Set((await groupsOf()).map(({ id }) => id))).toStrictEqual(new Set([before?.id]));
    await stack.config("adopt", "{}");
    await stack.config("follow", JSON.stringify(keysOf([left])));
    const since = await session.lastCall();
    stack.succeed(await stack.up());
    const writes = (await session.calls(since))
        .map(({ action }) => action)
        .filter((action) => !/^(Describe|List)/.test(action));
    expect(writes).toStrictEqual(["SetLoadBalancerUDPListenerAttribute"]);
    const after = await groupsOf();
    expect(new Set(after.map(({ id }) => id)).size).toBe(2);
    expect(after.map(({ backends }) => backends)).toStrictEqual([before?.backends, before?.backends]);
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
});

test("a Service of this package is handed to CCM with load balancer, address and nodePorts", async () => {
    const stack = await Stack.create(session, "made", [{ name: "made", sourceRanges: ["10.0.0.0/8"] }]);
    onTestFinished(() => stack.clear());
    await stack.config("allowEmpty", '["default/made"]');
    stack.succeed(await stack.up());
    const made = await liveService(session.lab, "made");
    expect(made.spec?.loadBalancerClass).toBe("ack-loadbalancer.io/clb");
    await stack.config("handBack", '["default/made"]');
    await untouched(session, async () => stack.succeed(await stack.up()));
    await stack.config("handBack", "[]");
    // It would hand the Service to CCM, and keep its load balancer.
    expect(stack.fail(await stack.up())).toMatch(/Service default\/made: handBack cannot be withdrawn: .*Remedy: /);
    expect((await liveService(session.lab, "made")).spec?.loadBalancerClass).toBe("ack-loadbalancer.io/clb");
    await stack.config("handBack", '["default/made"]');
    stack.writeText("apiVersion: v1\nkind: ConfigMap\nmetadata: { name: none }\n");
    await untouched(session, async () => stack.succeed(await stack.up()));
    const given = await liveService(session.lab, "made");
    expect([given.metadata.uid, given.spec?.ports, given.spec?.loadBalancerSourceRanges, given.status]).toStrictEqual([
        made.metadata.uid,
        made.spec?.ports,
        ["10.0.0.0/8"],
        made.status,
    ]);
    expect((await eventsOfServices(session)).filter((event) => /^made Clean/.test(event))).toStrictEqual([]);
    await assertTakenUp("made");

    // And back again: the list of its source ranges is found, too.
    stack.writeText(serviceYaml({ name: "made", sourceRanges: ["10.0.0.0/8"] }));
    await stack.config("handBack", "[]");
    // The command of docs/migrate-from-ccm.md, as it is written there.
    stack.succeed(await stack.command("config", "set", "--path", 'adopt["default/made"]', "{}", "--stack", stack.name));
    await untouched(session, async () => stack.succeed(await stack.up()));
    await assertLeftAlone("made");
});

test("handBack of a Service whose manifest goes in the same run is refused, and deletes nothing", async () => {
    const stack = await Stack.create(session, "early", [{ name: "early" }, { name: "stays" }]);
    onTestFinished(() => stack.clear());
    await stack.config("allowEmpty", '["default/early", "default/stays"]');
    stack.succeed(await stack.up());
    await stack.config("handBack", '["default/early"]');
    stack.writeText(serviceYaml({ name: "stays" }));
    for (const run of ["preview", "up"] as const) {
        const refused = await untouched(session, async () => stack.fail(await stack[run]()));
        expect(refused).toMatch(
            /Service default\/early is to be handed back, and has left the folder .* Remedy: restore its manifest and run pulumi up with handBack, then remove/,
        );
    }
    expect((await liveService(session.lab, "early")).spec?.loadBalancerClass).toBe("ack-loadbalancer.io/clb");

    // The remedy.
    stack.writeText([{ name: "early" }, { name: "stays" }].map((one) => serviceYaml(one)).join("---\n"));
    await untouched(session, async () => stack.succeed(await stack.up()));
    stack.writeText(serviceYaml({ name: "stays" }));
    await untouched(session, async () => stack.succeed(await stack.up()));
    await assertTakenUp("early");
    stack.succeed(await stack.up("--expect-no-changes"));
});

test("a Service that CCM took back is adopted again, as the preview shows", async () => {
    const left = await leaveFootprint(session.lab, "seed-18-scheduler-wrr", "again");
    const stack = await stackOf(session, "again", [left.manifest]);
    onTestFinished(() => stack.clear());
    await stack.config("adopt", adopting([left]));
    stack.succeed(await stack.up());
    await assertLeftAlone("again");

    const { finalizers, labels } = left.live.metadata;
    await patch(session.lab, "again", {
        metadata: { finalizers, labels, annotations: { "service.beta.kubernetes.io/class": null } },
    });
    await assertTakenUp("again");
    await untouched(session, async () => {
        const text = stack.succeed(await stack.preview("--diff"));
        expect(text).toMatch(
            pattern(
                /Service default\/again: the Cloud Controller Manager has taken it back since this stack /,
                /took it over: finalizer service\.k8s\.alibaba\/resources, .*This run takes it over again\./,
            ),
        );
        await assertTakenUp("again");
        stack.succeed(await stack.up());
    });
    await assertLeftAlone("again");
    await untouched(session, async () => stack.succeed(await stack.up("--expect-no-changes")));
});

test("adoption shows differences in a table, and changes only those that are allowed", async () => {
    const left = await leaveFootprint(session.lab, "seed-18-scheduler-wrr", "differs");
    const stack = await stackOf(session, "differs", [
        { ...left.manifest, metadata: { name: "differs", namespace: "default" } },
    ]);
    onTestFinished(() => stack.clear());
    const { vServerGroups } = await dataPath(session.lab);
    const group = vServerGroups.find(({ loadBalancerId }) => loadBalancerId === left.loadBalancerId);
    await session.cloud("/_console", {
        action: "RemoveVServerGroupBackendServers",
        as: "other",
        params: {
            VServerGroupId: group?.id,
            BackendServers: '[{"ServerId":"i-node2","Port":"' + group?.backends[0]?.port + '"}]',
        },
    });
    await stack.config("adopt", '{"default/differs": {}}');
    const refusal = await untouched(session, async () => stack.fail(await stack.up()));
    expect(refusal).toMatch(
        /Service default\/differs cannot take over load balancer lb-differs as it stands; nothing was changed/,
    );
    expect(refusal).toMatch(/listener tcp:443 +scheduler +wrr +rr/);
    expect(refusal).toMatch(/vServer group k8s\/\d+\/differs\/default\/clusterid +backend i-node2 +- +weight 100/);
    expect(refusal).toMatch(/Remedy: .*allowChanges/);
    // CCM still has it.
    expect((await liveService(session.lab, "differs")).metadata.finalizers).toStrictEqual([
        "service.k8s.alibaba/resources",
    ]);

    await stack.config("adopt", '{"default/differs": {"allowChanges": true}}');
    const shown = stack.succeed(await stack.preview());
    expect(shown).toMatch(/listener tcp:443 +scheduler +wrr +rr/);
    stack.succeed(await stack.up());
    const schedulerOf = async () =>
        (await dataPath(session.lab)).listeners.find(({ loadBalancerId }) => loadBalancerId === left.loadBalancerId)
            ?.attributes["Scheduler"];
    // Adopted unchanged.
    expect(await schedulerOf()).toBe("wrr");
    await stack.config("adopt", "{}");
    await stack.config("follow", '["default/differs"]');
    expect(stack.succeed(await stack.preview("--diff"))).toMatch(/scheduler: "wrr" => "rr"/);
    stack.succeed(await stack.up());
    expect(await schedulerOf()).toBe("rr");
});

test("a Service of CCM is refused until adoption is requested, applied or followed", async () => {
    const left = await leaveFootprint(session.lab, "seed-01-internet-clb-default", "managed");
    const stack = await stackOf(session, "managed", [left.manifest]);
    onTestFinished(() => stack.clear());
    const message = pattern(
        /Service default\/managed: the Cloud Controller Manager \(CCM\) manages this Service: /s,
        /finalizer service\.k8s\.alibaba\/resources.*Remedy: take the Service over/s,
    );
    expect(await untouched(session, async () => stack.fail(await stack.preview()))).toMatch(message);
    await stack.config("follow", '["default/managed"]');
    expect(await untouched(session, async () => stack.fail(await stack.up()))).toMatch(message);
    await stack.config("adopt", '{"default/managed": {}, "default/other": {}}');
    expect(stack.fail(await stack.preview())).toMatch(
        /the folder of manifests has no Service default\/other, which adopt names/,
    );
    await stack.config("adopt", '{"default/managed": {}}');
    await untouched(session, async () => stack.succeed(await stack.up()));
    await assertLeftAlone("managed");

    // The annotation is removed outside Pulumi and the controller starts again: refresh shows it, and the next adoption
    // corrects it.
    await patch(session.lab, "managed", {
        metadata: {
            annotations: { "service.beta.kubernetes.io/class": null },
            finalizers: ["service.k8s.alibaba/resources"],
        },
    });
    expect(stack.succeed(await stack.preview("--refresh", "--diff"))).toMatch(
        /controller: "cloud-controller-manager" => "ack-loadbalancer"/,
    );
    await untouched(session, async () => stack.succeed(await stack.up("--refresh")));
    await assertLeftAlone("managed");
});

test("load balancers that belong to others or do not exist are not adopted", async () => {
    const left = await leaveFootprint(session.lab, "seed-01-internet-clb-default", "mine");
    const other = await leaveFootprint(session.lab, "seed-01-internet-clb-default", "theirs");
    const stack = await stackOf(session, "unmanaged", [left.manifest]);
    onTestFinished(() => stack.clear());
    await stack.config(
        "adopt",
        JSON.stringify({ "default/mine": { loadBalancerId: other.loadBalancerId, allowChanges: true } }),
    );
    expect(await untouched(session, async () => stack.fail(await stack.up()))).toMatch(
        /load balancer +tag kubernetes\.do\.not\.delete +a\w+ +a\w+/,
    );
    await stack.config("adopt", JSON.stringify({ "default/mine": { loadBalancerId: "lb-nowhere" } }));
    expect(await untouched(session, async () => stack.fail(await stack.up()))).toMatch(
        /there is no load balancer lb-nowhere in this region/,
    );
    await session.cloud("/_console", {
        action: "SetLoadBalancerDeleteProtection",
        as: "other",
        params: { LoadBalancerId: left.loadBalancerId, DeleteProtection: "off" },
    });
    await session.cloud("/_console", {
        action: "DeleteLoadBalancer",
        as: "other",
        params: { LoadBalancerId: left.loadBalancerId },
    });
    await stack.config("adopt", '{"default/mine": {}}');
    expect(await untouched(session, async () => stack.fail(await stack.up()))).toMatch(
        /no load balancer bears the tag kubernetes\.do\.not\.delete=a\w+/,
    );
});
