/**
 * Upgrades of the custom resource under a running controller: by a package with an additional field, and by a package
 * with a later version. Bindings are kept, and their groups keep following the cluster. The later definitions exist
 * only in the test's support.
 * Only a run shows what a real API server makes of two versions of a definition.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { REPOSITORY, type Session, setSchedulable, waitFor } from "../../lab";
import { usesRealPlugins } from "../../lab/pulumi/install";
import { bindingDefinition } from "../../provider/sync/binding/crd";
import {
    bindingsPath,
    fieldsOf,
    FULL_SPEC,
    LATER_VERSION,
    pathsIn,
    withLaterVersion,
    withOneFieldMore,
} from "../support/definitions";
import { onTestFinished } from "../support/finished";
import { Program } from "../support/program";
import { applyBinding, ReplicaProcess, statusOf, waitForMembers } from "../support/replica";
import { desiredWeights, nodesSpec, seedGroups, weightsOf } from "../support/sync";
import { startWorld, stateOf } from "../support/world";

const DEFINITION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/servergroupbindings.ack-loadbalancer.io";

interface Stored {
    readonly metadata: { readonly uid: string; readonly generation: number };
    readonly spec: Readonly<Record<string, unknown>>;
    readonly status?: unknown;
}

let session: Session;
/** Stacks: the first installs the controller, the second has a Service whose binding it makes. */
let platform: Program;
let shop: Program;
let replica: ReplicaProcess | undefined;

/** A program with the controller, whose definition is that of another package. */
const controllerWith = (definition: object): string => `
    const { SyncController } = require("ack-loadbalancer");
    const definition = ${JSON.stringify(definition)};
    const crd = "kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition";
    const ofAnotherPackage = ({ type, opts }) => (type === crd ? { props: definition, opts } : undefined);
    const image = "registry.example/ack-loadbalancer:1";
    new SyncController("sync", { image }, { transformations: [ofAnotherPackage] });`;

const SHOP = `
    new ServiceLoadBalancer("shop", {
        cluster: new Cluster({ clusterId: "c-test", sync: true }),
        service: { name: "shop", selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] },
    });`;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    platform = await Program.create(session, "platform", controllerWith(bindingDefinition()));
    platform.succeed(await platform.up());
    await seedGroups(session);
    shop = await Program.create(session, "shop", SHOP);
    shop.succeed(await shop.up());
    await applyBinding(session, "web-tcp-80", nodesSpec());
    await applyBinding(session, "full", FULL_SPEC);
    replica = new ReplicaProcess(session);
    await replica.prints('"leading"');
    await waitForMembers(() => weightsOf(session), await desiredWeights(session));
});

afterAll(async () => {
    replica?.signal("SIGTERM");
    await replica?.ended();
    await session.lab.stop();
});

/** A binding as a version shows it. */
const read = (name: string, version?: string): Promise<Stored> =>
    session.lab.cluster.get<Stored>(`${bindingsPath(version)}/${name}`);

/**
 * Returns the parts of both bindings that must stay: the identity of the object, its spec, and its status from the
 * controller.
 */
const kept = async (version?: string): Promise<unknown> => {
    const [web, full] = [await read("web-tcp-80", version), await read("full", version)];
    return [web, full].map(({ metadata: { uid, generation }, spec, status }) => ({ uid, generation, spec, status }));
};

const storedVersions = async (): Promise<string[]> =>
    (await session.lab.cluster.get<{ status: { storedVersions: string[] } }>(DEFINITION)).status.storedVersions;

/** Upgrades by the component: in place, with nothing deleted. */
async function upgrade(definition: object): Promise<void> {
    platform.write(controllerWith(definition));
    const preview = platform.succeed(await platform.preview());
    expect(preview).toMatch(/CustomResourceDefinition sync update/);
    expect(preview).not.toMatch(/replace|delete/);
    platform.succeed(await platform.up());
}

/** Waits until the API server serves a version, or no longer does. */
const served = (version: string, is = true): Promise<true> =>
    waitFor(`${version} is ${is ? "" : "not "}served`, async () => {
        const found = await session.lab.cluster.find(bindingsPath(version)).catch(() => undefined);
        return (found !== undefined) === is ? true : undefined;
    });

/** Number of the machines that are members. */
const machines = async (): Promise<number> => Object.keys(await weightsOf(session)).length;

/** The controller notices a node that is cordoned, and that it is not any more. */
async function follows(version?: string): Promise<void> {
    await applyBinding(session, "web-tcp-80", { ...nodesSpec(), removeUnscheduled: true }, version);
    await setSchedulable(session.lab.cluster, "node-2", false);
    await waitFor("the cordoned node is no backend", async () => ((await machines()) === 2 ? true : undefined));
    await setSchedulable(session.lab.cluster, "node-2", true);
    await waitFor("it is one again", async () => ((await machines()) === 3 ? true : undefined), {
        state: () => replica?.text ?? "",
    });
    await waitFor("the status says so", async () =>
        (await statusOf(session, "web-tcp-80")).backends?.total === 3 ? true : undefined,
    );
}

test("the API server stores every field of spec and status", async () => {
    expect(pathsIn(FULL_SPEC).filter((field) => !field.startsWith(".nodeSelector."))).toStrictEqual(
        expect.arrayContaining(fieldsOf("spec")),
    );
    expect((await read("full")).spec).toStrictEqual(FULL_SPEC);
    await waitFor("the controller has said everything", async () => {
        const said = pathsIn((await read("web-tcp-80")).status);
        return fieldsOf("status").every((field) => said.includes(field)) ? true : undefined;
    });
});

test("a new field is kept while the controller works, and dropped by a downgrade", async () => {
    await follows();
    const before = await kept();
    await upgrade(withOneFieldMore());
    expect(await kept()).toStrictEqual(before);
    await waitFor("the field is kept", async () => {
        await applyBinding(session, "full", { ...FULL_SPEC, note: "kept" });
        return (await read("full")).spec["note"] === "kept" ? true : undefined;
    });
    await follows();
    await upgrade(bindingDefinition());
    await waitFor("the field is gone", async () =>
        (await read("full")).spec["note"] === undefined ? true : undefined,
    );
    expect((await read("full")).spec).toStrictEqual(FULL_SPEC);
    await follows();
});

test("bindings in a later version are equal and followed, and no run shows a difference", async () => {
    const before = await kept();
    await upgrade(withLaterVersion());
    await served(LATER_VERSION);
    expect(await kept()).toStrictEqual(before);
    expect(await kept(LATER_VERSION)).toStrictEqual(before);
    await follows();
    await follows(LATER_VERSION);
    shop.succeed(await shop.preview("--expect-no-changes"));
    shop.succeed(await shop.preview("--refresh", "--expect-no-changes"));
});

test("the documented commands migrate stored objects without changing a group", async () => {
    expect(await storedVersions()).toStrictEqual(["v1alpha1", LATER_VERSION]);
    const before = await kept();
    const since = await session.lastCall();
    const page = readFileSync(path.join(REPOSITORY, "docs/sync.md"), "utf8");
    const [, commands = ""] = /^## Upgrade$[^]*?^```\n([^]*?)^```$/m.exec(page) ?? [];
    for (const line of commands.trim().split(/(?<!\\)\n/)) {
        const { code, text } = await session.run("sh", ["-c", line.replaceAll("<version>", LATER_VERSION)]);
        expect({ code, text }).toMatchObject({ code: 0 });
    }
    expect(await storedVersions()).toStrictEqual([LATER_VERSION]);
    expect(await kept()).toStrictEqual(before);
    expect((await session.calls(since)).filter(({ mutating }) => mutating)).toStrictEqual([]);
});

test("without the served version runs are refused, new replicas wait and running ones continue", async () => {
    const weights = await weightsOf(session);
    const since = await session.lastCall();
    await upgrade(withLaterVersion(false));
    await served("v1alpha1", false);
    const fresh = new ReplicaProcess(session, "--lease", "another");
    onTestFinished(async () => {
        fresh.signal("SIGTERM");
        await fresh.ended();
    });
    const complaint = "the API server does not serve servergroupbindings of ack-loadbalancer.io/v1alpha1";
    for (const one of [fresh, replica]) await one?.prints(complaint);
    expect(shop.fail(await shop.preview())).toMatch(/does not have the custom resource ServerGroupBinding/);
    expect((await session.calls(since)).filter(({ mutating }) => mutating)).toStrictEqual([]);
    expect(fresh.text).not.toMatch(/"watching"/);
    await setSchedulable(session.lab.cluster, "node-2", false);
    await waitFor("the cordoned node is no backend", async () => ((await machines()) === 2 ? true : undefined));
    await upgrade(withLaterVersion());
    await fresh.prints('"watching"');
    await setSchedulable(session.lab.cluster, "node-2", true);
    await waitForMembers(() => weightsOf(session), weights);
});

test("a second stack with the controller is refused, and destroy keeps the bindings", async () => {
    const second = await Program.create(session, "second", controllerWith(bindingDefinition()));
    // The lab's real kubernetes plugin is release 4.25, which applies objects, also for the first time.
    const refusal = usesRealPlugins(process.env) ? /Server-Side Apply field conflict/ : /already exists/;
    expect(second.fail(await second.up())).toMatch(refusal);
    second.succeed(await second.destroy());
    platform.succeed(await platform.preview("--expect-no-changes"));
    const before = await kept();
    platform.succeed(await platform.destroy());
    expect(await kept()).toStrictEqual(before);
    expect((await stateOf(session)).slb.vServerGroups.map(({ backends }) => backends.length)).toStrictEqual([3, 3]);
    shop.succeed(await shop.destroy());
});
