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
import { forget } from "../support/forget";
import { pattern } from "../support/pattern";
import { adopting, documents, keysOf, stackOf, startRecorded, untouched } from "../support/recorded";
import { type ServiceSpec, serviceYaml, Stack } from "../support/world";

let session: Session;
const stacks: Stack[] = [];

beforeAll(async () => {
    session = await startRecorded({ isResident: true });
});
afterAll(async () => {
    await session.lab.stop();
    forget(...stacks);
});

/** Makes a stack that the lab keeps. */
async function kept(making: Promise<Stack>): Promise<Stack> {
    const stack = await making;
    stacks.push(stack);
    return stack;
}

const NOTHING = "# nothing is left to this stack\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: none }\n";

/** Runs an update with its preview, which is returned. */
const previewAndUp = async (stack: Stack, ...flags: readonly string[]): Promise<string> =>
    stack.succeed(await stack.run("up", ["--yes", "--diff", ...flags])).split(/^Updating /m, 1)[0] ?? "";

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

const MADE: ServiceSpec = { name: "made", sourceRanges: ["10.0.0.0/8"] };

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
    const manifests = lefts.map(({ manifest }) => manifest);
    const stack = await kept(stackOf(session, "there", manifests));
    await stack.config("adopt", adopting(lefts));

    const preview = await untouched(session, () => previewAndUp(stack));
    const imports = preview.match(/^ +(?!\+)\S* ?alicloud:.* \(import\)$/gm) ?? [];
    const { loadBalancers, listeners, vServerGroups, domainExtensions } = await dataPath(session.lab);
    expect([preview, imports.length]).toStrictEqual([
        preview,
        loadBalancers.length + listeners.length + vServerGroups.length + domainExtensions.length,
    ]);
    // No resource of the cloud is created.
    expect(preview).not.toMatch(/^ +\+ alicloud:/m);
    expect(preview).not.toMatch(/do not match/);

    for (const { live } of lefts) {
        await assertLeftAlone(live.metadata.name);
        // The address stays.
        expect((await liveService(session.lab, live.metadata.name)).status).toStrictEqual(live.status);
    }

    // Once a Service is off the list, a run costs nothing.
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
    stack.writeText(documents([changed, ...manifests.slice(1)]));
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
    stack.writeText(NOTHING);
    await untouched(session, async () => stack.succeed(await stack.up()));
    for (const { live } of lefts) {
        await assertTakenUp(live.metadata.name);
    }
});

test("Services are handed to CCM with load balancer, address and nodePorts, and back", async () => {
    const yamlOf = (...names: readonly string[]) =>
        names.map((name) => serviceYaml(name === "made" ? MADE : { name })).join("---\n");
    const stack = await kept(Stack.create(session, "made", [MADE, { name: "early" }, { name: "stays" }]));
    await stack.config("allowEmpty", '["default/made", "default/early", "default/stays"]');
    stack.succeed(await stack.up());
    const made = await liveService(session.lab, "made");
    expect(made.spec?.loadBalancerClass).toBe("ack-loadbalancer.io/clb");
    await stack.config("handBack", '["default/made"]');
    await untouched(session, async () => stack.succeed(await stack.up()));
    await stack.config("handBack", "[]");
    // It would hand the Service to CCM, and keep its load balancer.
    expect(stack.fail(await stack.up())).toMatch(/Service default\/made: handBack cannot be withdrawn: .*Remedy: /);
    expect((await liveService(session.lab, "made")).spec?.loadBalancerClass).toBe("ack-loadbalancer.io/clb");

    // A Service whose manifest goes in the run that hands it back is refused, and nothing is deleted.
    await stack.config("handBack", '["default/made", "default/early"]');
    stack.writeText(yamlOf("made", "stays"));
    expect(await untouched(session, async () => stack.fail(await stack.up()))).toMatch(
        pattern(
            /Service default\/early is to be handed back, and has left the folder .* /,
            /Remedy: restore its manifest and run pulumi up with handBack, then remove/,
        ),
    );
    expect((await liveService(session.lab, "early")).spec?.loadBalancerClass).toBe("ack-loadbalancer.io/clb");

    // The remedy.
    stack.writeText(yamlOf("made", "early", "stays"));
    await untouched(session, async () => stack.succeed(await stack.up()));
    stack.writeText(yamlOf("stays"));
    await untouched(session, async () => stack.succeed(await stack.up()));
    const given = await liveService(session.lab, "made");
    expect([given.metadata.uid, given.spec?.ports, given.spec?.loadBalancerSourceRanges, given.status]).toStrictEqual([
        made.metadata.uid,
        made.spec?.ports,
        ["10.0.0.0/8"],
        made.status,
    ]);
    expect((await eventsOfServices(session)).filter((event) => /^(?:made|early) Clean/.test(event))).toStrictEqual([]);
    await assertTakenUp("made");
    await assertTakenUp("early");

    // And back again: the list of its source ranges is found, too.
    stack.writeText(yamlOf("made", "stays"));
    await stack.config("handBack", "[]");
    // The command of docs/migrate-from-ccm.md, as it is written there.
    stack.succeed(await stack.command("config", "set", "--path", 'adopt["default/made"]', "{}", "--stack", stack.name));
    await untouched(session, async () => stack.succeed(await stack.up()));
    await assertLeftAlone("made");
});

/** Services of CCM whose adoption is refused at first, each for another reason. */
let refused: Stack;
let managed: Left;
let differs: Left;
let mine: Left;
const adopt = (adopted: Readonly<Record<string, object>>) =>
    refused.config(
        "adopt",
        JSON.stringify(Object.fromEntries(Object.entries(adopted).map(([name, one]) => [`default/${name}`, one]))),
    );
/** Returns the refusal of a run that changes nothing. */
const refusal = (operation: "preview" | "up") =>
    untouched(session, async () => refused.fail(await refused[operation]()));

test("Services of CCM are refused until adoption of their own load balancer is requested", async () => {
    managed = await leaveFootprint(session.lab, "seed-01-internet-clb-default", "managed");
    mine = await leaveFootprint(session.lab, "seed-01-internet-clb-default", "mine");
    const other = await leaveFootprint(session.lab, "seed-01-internet-clb-default", "theirs");
    differs = await leaveFootprint(session.lab, "seed-18-scheduler-wrr", "differs");
    const manifest = { ...differs.manifest, metadata: { name: "differs", namespace: "default" } };
    differs = { ...differs, manifest };
    const { vServerGroups } = await dataPath(session.lab);
    const group = vServerGroups.find(({ loadBalancerId }) => loadBalancerId === differs.loadBalancerId);
    const console = (action: string, params: object) => session.cloud("/_console", { action, as: "other", params });
    await console("RemoveVServerGroupBackendServers", {
        VServerGroupId: group?.id,
        BackendServers: '[{"ServerId":"i-node2","Port":"' + group?.backends[0]?.port + '"}]',
    });
    refused = await kept(stackOf(session, "refused", [managed.manifest]));
    const message = pattern(
        /Service default\/managed: the Cloud Controller Manager \(CCM\) manages this Service: /s,
        /finalizer service\.k8s\.alibaba\/resources.*Remedy: take the Service over/s,
    );
    expect(await refusal("preview")).toMatch(message);
    await refused.config("follow", '["default/managed"]');
    expect(await refusal("up")).toMatch(message);
    await adopt({ managed: {}, other: {} });
    expect(refused.fail(await refused.preview())).toMatch(
        /the folder of manifests has no Service default\/other, which adopt names/,
    );

    refused.writeText(documents([mine.manifest]));
    await adopt({ mine: { loadBalancerId: other.loadBalancerId, allowChanges: true } });
    expect(await refusal("up")).toMatch(/load balancer +tag kubernetes\.do\.not\.delete +a\w+ +a\w+/);
    await adopt({ mine: { loadBalancerId: "lb-nowhere" } });
    expect(await refusal("up")).toMatch(/there is no load balancer lb-nowhere in this region/);
    for (const [action, params] of [
        ["SetLoadBalancerDeleteProtection", { DeleteProtection: "off" }],
        ["DeleteLoadBalancer", {}],
    ] as const)
        await console(action, { LoadBalancerId: mine.loadBalancerId, ...params });
    await adopt({ mine: {} });
    expect(await refusal("up")).toMatch(/no load balancer bears the tag kubernetes\.do\.not\.delete=a\w+/);

    refused.writeText(documents([manifest]));
    await adopt({ differs: {} });
    const table = await refusal("up");
    expect(table).toMatch(
        /Service default\/differs cannot take over load balancer lb-differs as it stands; nothing was changed/,
    );
    expect(table).toMatch(/listener tcp:443 +scheduler +wrr +rr/);
    expect(table).toMatch(/vServer group k8s\/\d+\/differs\/default\/clusterid +backend i-node2 +- +weight 100/);
    expect(table).toMatch(/Remedy: .*allowChanges/);
    // CCM still has it.
    expect((await liveService(session.lab, "differs")).metadata.finalizers).toStrictEqual([
        "service.k8s.alibaba/resources",
    ]);
});

/** Returns listeners of a Service with the groups behind them. */
async function groupsOf({ loadBalancerId }: Left) {
    const { listeners, vServerGroups } = await dataPath(session.lab);
    return listeners
        .filter((listener) => listener.loadBalancerId === loadBalancerId)
        .map(({ attributes }) => {
            const group = vServerGroups.find(({ id }) => id === attributes["VServerGroupId"]);
            return { id: group?.id, backends: group?.backends.length, scheduler: attributes["Scheduler"] };
        });
}

let twin: Left;
let again: Left;

test("adoption shows differences in a table, and changes only those that are allowed", async () => {
    twin = await leaveFootprint(session.lab, "clb-port-tcp-udp-same-nodeport", "twin");
    again = await leaveFootprint(session.lab, "seed-18-scheduler-wrr", "again");
    refused.writeText(documents([managed, differs, twin, again].map(({ manifest }) => manifest)));
    await adopt({ managed: {}, differs: { allowChanges: true }, twin: {}, again: {} });
    const [before] = await groupsOf(twin);
    const shown = await previewAndUp(refused);
    expect(shown).toMatch(/listener tcp:443 +scheduler +wrr +rr/);
    // Its ports have one nodePort, for which CCM has one group.
    expect(shown).toMatch(/listener udp:\d+ +serverGroupId +\S+ +\(to be created\)/);
    for (const name of ["managed", "again"]) await assertLeftAlone(name);
    // Adopted unchanged.
    expect((await groupsOf(differs)).map(({ scheduler }) => scheduler)).toStrictEqual(["wrr"]);
    expect(new Set((await groupsOf(twin)).map(({ id }) => id))).toStrictEqual(new Set([before?.id]));
});

test("once a Service is followed, a run changes listener and group without a gap", async () => {
    await adopt({ managed: {}, again: {} });
    await refused.config("follow", JSON.stringify(keysOf([differs, twin])));
    const [before] = await groupsOf(twin);
    const since = await session.lastCall();
    expect(await previewAndUp(refused)).toMatch(/scheduler: "wrr" => "rr"/);
    const writes = (await session.calls(since))
        .map(({ action }) => action)
        .filter((action) => !/^(Describe|List)/.test(action));
    expect(writes.sort()).toStrictEqual(["SetLoadBalancerTCPListenerAttribute", "SetLoadBalancerUDPListenerAttribute"]);
    expect((await groupsOf(differs)).map(({ scheduler }) => scheduler)).toStrictEqual(["rr"]);
    const after = await groupsOf(twin);
    expect(new Set(after.map(({ id }) => id)).size).toBe(2);
    expect(after.map(({ backends }) => backends)).toStrictEqual([before?.backends, before?.backends]);
});

test("a Service that CCM took back is adopted again, as the preview shows", async () => {
    const { finalizers, labels } = again.live.metadata;
    await patch(session.lab, "again", {
        metadata: { finalizers, labels, annotations: { "service.beta.kubernetes.io/class": null } },
    });
    await assertTakenUp("again");
    await untouched(session, async () => {
        const text = refused.succeed(await refused.preview("--diff"));
        expect(text).toMatch(
            pattern(
                /Service default\/again: the Cloud Controller Manager has taken it back since this stack /,
                /took it over: finalizer service\.k8s\.alibaba\/resources, .*This run takes it over again\./,
            ),
        );
        await assertTakenUp("again");
        refused.succeed(await refused.up());
    });
    await assertLeftAlone("again");

    // The annotation is removed outside Pulumi and the controller starts again: refresh shows it, and the next adoption
    // corrects it.
    await patch(session.lab, "managed", {
        metadata: {
            annotations: { "service.beta.kubernetes.io/class": null },
            finalizers: ["service.k8s.alibaba/resources"],
        },
    });
    expect(await untouched(session, () => previewAndUp(refused, "--refresh"))).toMatch(
        /controller: "cloud-controller-manager" => "ack-loadbalancer"/,
    );
    await assertLeftAlone("managed");
    // While a Service is on the list it is looked at, and nothing changes.
    await untouched(session, async () => refused.succeed(await refused.up("--refresh", "--expect-no-changes")));
});
