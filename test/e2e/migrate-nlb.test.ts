/**
 * NLBs of the Cloud Controller Manager are adopted and handed back.
 * Only a run shows that the engine imports without a write what another controller has made.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ccmObjections, dataPath, leaveFootprint, type Left, liveService } from "../../examples/migrate-from-ccm/ccm";
import type { Session } from "../../lab";
import { onTestFinished } from "../support/finished";
import { forget } from "../support/forget";
import type { Stack } from "../support/stack";
import { adopting, documents, keysOf, stackOf, startRecorded, untouched } from "../support/recorded";

let session: Session;
/** Stacks that are left as they are: they disturb no other test. */
const stacks: Stack[] = [];

beforeAll(async () => {
    session = await startRecorded({ isResident: true });
    const vSwitches = [{ id: "vsw-lab-b2", vpcId: "vpc-lab", zoneId: "cn-hangzhou-b", cidr: "10.2.0.0/16" }];
    await session.cloud("/_seed", { vSwitches });
});
afterAll(async () => {
    await session.lab.stop();
    forget(...stacks);
});

const NOTHING = "# nothing is left to this stack\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: none }\n";

/**
 * Recordings with several ports, TCP and UDP on the same port, certificates, source ranges, security groups, addresses
 * and EIPs in their zones, and tags.
 */
const RECORDINGS = [
    "nlb-port-several",
    "nlb-proto-tcp-udp-same",
    "nlb-add-certs",
    "nlb-ranges",
    "nlb-sg-ids-create",
    "nlb-zone-maps-ip-eip",
    "nlb-ppv2",
    "nlb-tags",
];

/** Runs an update with its preview, which is returned. */
const previewAndUp = async (stack: Stack): Promise<string> =>
    stack.succeed(await stack.run("up", ["--yes", "--diff"])).split(/^Updating /m, 1)[0] ?? "";

test("an NLB of CCM is adopted, managed and handed back without writes", async () => {
    const lefts: Left[] = [];
    for (const [index, recording] of RECORDINGS.entries())
        lefts.push(await leaveFootprint(session.lab, recording, `there-${index}`));
    for (const { live } of lefts) expect(ccmObjections(live, await dataPath(session.lab))).toStrictEqual([]);
    const stack = await stackOf(
        session,
        "there-nlb",
        lefts.map(({ manifest }) => manifest),
    );
    stacks.push(stack);
    expect(await untouched(session, async () => stack.fail(await stack.preview()))).toMatch(
        /the Cloud Controller Manager \(CCM\) manages this Service: finalizer service\.k8s\.alibaba\/nlb/,
    );
    await stack.config("adopt", adopting(lefts));
    const preview = await untouched(session, () => previewAndUp(stack));
    const { nlb } = await dataPath(session.lab);
    expect(preview.match(/^ +(?!\+)\S* ?alicloud:.* \(import\)$/gm) ?? []).toHaveLength(
        nlb.loadBalancers.length + nlb.listeners.length + nlb.serverGroups.length,
    );
    expect(preview).not.toMatch(/^ +\+ alicloud:/m);
    expect(preview).not.toMatch(/do not match/);
    for (const { live } of lefts) {
        const { metadata, spec, status } = await liveService(session.lab, live.metadata.name);
        expect([metadata.uid, metadata.finalizers, metadata.labels]).toStrictEqual([
            live.metadata.uid,
            undefined,
            undefined,
        ]);
        expect(spec).toStrictEqual({ ...live.spec, loadBalancerClass: "ack-loadbalancer.io/nlb" });
        expect(status).toStrictEqual(live.status);
    }

    // Once a Service is off the list, nothing is left to do.
    await stack.config("adopt", "{}");
    await stack.config("follow", JSON.stringify(keysOf(lefts)));
    await untouched(session, async () => stack.succeed(await stack.up("--refresh", "--expect-no-changes")));

    // It is managed: the cluster gets a node.
    await session.lab.addNode({ name: "node-4", instanceId: "i-node4" });
    onTestFinished(() => session.run("kubectl", ["delete", "node", "node-4"]));
    stack.succeed(await stack.up());
    const managed = await dataPath(session.lab);
    for (const group of managed.nlb.serverGroups)
        expect(group.servers.some(({ serverId }) => serverId === "i-node4")).toBe(true);

    await stack.config("handBack", JSON.stringify(keysOf(lefts)));
    await untouched(session, async () => stack.succeed(await stack.up()));
    stack.writeText(NOTHING);
    await untouched(session, async () => stack.succeed(await stack.up()));
    for (const { live } of lefts) {
        const back = await liveService(session.lab, live.metadata.name);
        expect([back.metadata.uid, back.spec, back.status]).toStrictEqual([live.metadata.uid, live.spec, live.status]);
        expect(ccmObjections(back, await dataPath(session.lab))).toStrictEqual([]);
    }
});

test("adoption shows differences in a table, and changes only those that are allowed", async () => {
    const left = await leaveFootprint(session.lab, "nlb-protections-ignored", "differs");
    const stack = await stackOf(session, "differs-nlb", [left.manifest]);
    stacks.push(stack);
    const { nlb } = await dataPath(session.lab);
    const group = nlb.serverGroups.find(({ name }) => name.includes(".differs."));
    const listener = nlb.listeners.find(({ loadBalancerId }) => loadBalancerId === left.loadBalancerId);
    const console = (action: string, params: object) =>
        session.cloud("/_console", { product: "Nlb", action, as: "other", params });
    await console("RemoveServersFromServerGroup", {
        ServerGroupId: group?.id,
        "Servers.1.ServerId": "i-node2",
        "Servers.1.ServerType": "Ecs",
        "Servers.1.Port": group?.servers[0]?.port,
    });
    await console("UpdateServerGroupAttribute", {
        ServerGroupId: group?.id,
        Scheduler: "Rr",
        "HealthCheckConfig.HealthCheckEnabled": true,
        "HealthCheckConfig.HealthCheckInterval": 30,
    });
    await console("UpdateListenerAttribute", { ListenerId: listener?.id, IdleTimeout: 60, Mss: 1000 });
    await console("UpdateLoadBalancerZones", {
        LoadBalancerId: left.loadBalancerId,
        "ZoneMappings.1.ZoneId": "cn-hangzhou-a",
        "ZoneMappings.1.VSwitchId": "vsw-lab-a",
        "ZoneMappings.2.ZoneId": "cn-hangzhou-b",
        "ZoneMappings.2.VSwitchId": "vsw-lab-b2",
    });
    await stack.config("adopt", '{"default/differs": {}}');
    const refusal = await untouched(session, async () => stack.fail(await stack.up()));
    for (const line of [
        /load balancer +deleteProtection +on +off/,
        /load balancer +zoneMaps +\S+,cn-hangzhou-b:vsw-lab-b2 +\S+,cn-hangzhou-b:vsw-lab-b\n/,
        /server group k8s\.\d+\.TCP\.differs\.default\.clusterid +backend i-node2 +- +weight 100/,
        /server group \S+ +scheduler +Rr +Wrr/,
        /server group \S+ +health check interval +30 +10/,
        /listener tcp:80 +idleTimeout +60 +900/,
        /listener tcp:80 +mss +1000 +-/,
        /Remedy: .*allowChanges/,
    ])
        expect(refusal).toMatch(line);
    expect((await liveService(session.lab, "differs")).metadata.finalizers).toStrictEqual(["service.k8s.alibaba/nlb"]);

    // Settings are taken over as they are, and changed by the first run without adopt. The backend comes back at once.
    await stack.config("adopt", '{"default/differs": {"allowChanges": true}}');
    stack.succeed(await stack.up());
    const state = async () => {
        const found = (await dataPath(session.lab)).nlb;
        return {
            lb: found.loadBalancers.find(({ id }) => id === left.loadBalancerId),
            group: found.serverGroups.find(({ id }) => id === group?.id),
            listener: found.listeners.find(({ id }) => id === listener?.id),
        };
    };
    const adopted = await state();
    expect([
        adopted.group?.scheduler,
        adopted.listener?.idleTimeout,
        adopted.lb?.deletionProtection.enabled,
    ]).toStrictEqual(["Rr", 60, true]);
    expect(adopted.lb?.zones.map(({ vSwitchId }) => vSwitchId)).toContain("vsw-lab-b2");
    expect(adopted.group?.servers.map(({ serverId }) => serverId)).toContain("i-node2");
    await stack.config("adopt", "{}");
    await stack.config("follow", '["default/differs"]');
    stack.succeed(await stack.up());
    const managed = await state();
    expect([
        managed.group?.scheduler,
        managed.listener?.idleTimeout,
        managed.lb?.deletionProtection.enabled,
    ]).toStrictEqual(["Wrr", 900, false]);
    expect(managed.lb?.zones.map(({ vSwitchId }) => vSwitchId).sort()).toStrictEqual(["vsw-lab-a", "vsw-lab-b"]);

    const classic = await leaveFootprint(session.lab, "seed-01-internet-clb-default", "classic");
    const { spec, ...rest } = left.manifest as { spec: object };
    stack.writeText(
        documents([
            { ...rest, spec, metadata: { ...(left.manifest as { metadata: object }).metadata, name: "classic" } },
        ]),
    );
    await stack.config("follow", "[]");
    await stack.config("adopt", '{"default/classic": {}}');
    expect(await untouched(session, async () => stack.fail(await stack.preview()))).toMatch(
        /it has a CLB in the cluster, and its manifest asks for an NLB/,
    );
    expect(classic.live.metadata.finalizers).toStrictEqual(["service.k8s.alibaba/resources"]);
});

test("a Service on a user-managed NLB is adopted and handed back with its groups and listeners", async () => {
    const left = await leaveFootprint(session.lab, "nlb-reuse-override-foreign-other", "reused");
    const before = (await dataPath(session.lab)).nlb;
    const stack = await stackOf(session, "reused-nlb", [left.manifest]);
    stacks.push(stack);
    await stack.config("adopt", '{"default/reused": {}}');
    // Nothing but the tags by which clusters that share an instance are told apart.
    const preview = await untouched(session, () => previewAndUp(stack), ["TagResources"]);
    expect(preview.match(/alicloud:nlb\/(serverGroup|listener):\w+: \(import\)/g)).toHaveLength(4);
    expect(preview).not.toMatch(/^ +\+ alicloud:/m);
    await stack.config("adopt", "{}");
    await stack.config("follow", '["default/reused"]');
    await stack.config("handBack", '["default/reused"]');
    await untouched(session, async () => stack.succeed(await stack.up()));
    stack.writeText(NOTHING);
    await untouched(session, async () => stack.succeed(await stack.up()));
    const back = await liveService(session.lab, "reused");
    expect([back.spec, back.status]).toStrictEqual([left.live.spec, left.live.status]);
    expect(ccmObjections(back, await dataPath(session.lab))).toStrictEqual([]);
    expect((await dataPath(session.lab)).nlb.listeners).toStrictEqual(before.listeners);
});
