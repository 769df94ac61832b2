import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ccmObjections, type DataPath, dataPath, leaveFootprint, liveService, patch, RECORDED_CLUSTER, RECORDED_NODES } from "../../examples/migrate-from-ccm/ccm";
import { Session, startLab } from "../../lab";
import { serviceYaml, Stack } from "./world";

let session: Session;

before(async () => {
    const lab = await startLab();
    for (const node of RECORDED_NODES) {
        await lab.addNode(node);
    }
    session = new Session(lab);
});
after(() => session.lab.stop());

/** A stack that exposes the Services of these manifests, in the cluster of the recordings. */
async function stackOf(name: string, manifests: readonly object[]): Promise<Stack> {
    const stack = await Stack.create(session, name, []);
    stack.writeText(documents(manifests));
    await stack.config("clusterId", RECORDED_CLUSTER);
    return stack;
}

function documents(manifests: readonly object[]): string {
    return manifests.map((manifest) => JSON.stringify(manifest)).join("\n---\n");
}

/** Runs an operation that must leave the load balancers as they are: no write call, nothing else about them. */
async function untouched(operation: () => Promise<unknown>): Promise<void> {
    const since = await session.lastCall();
    const before = await dataPath(session.lab);
    await operation();
    assert.deepEqual(
        (await session.calls(since)).filter(({ mutating }) => mutating).map(({ action, params }) => `${action} ${JSON.stringify(params)}`),
        [],
    );
    assert.deepEqual(await dataPath(session.lab), before);
}

/** The cloud as the controller sees it for this Service has to be such that it has nothing to do. */
async function assertTakenUp(name: string, cloud: DataPath): Promise<void> {
    assert.deepEqual(ccmObjections(await liveService(session.lab, name), cloud), []);
}

/** Recordings whose load balancers are taken over as they are. */
const RECORDINGS = ["seed-01-internet-clb-default", "seed-11-additional-resource-tags", "seed-21-http-sticky-session-insert", "seed-29-proxy-protocol", "seed-30-connection-drain"];

test("there and back: what CCM has made is taken over without a write, is managed, and goes back without a write", async (t) => {
    const names = RECORDINGS.map((_, index) => `svc-${index}`);
    const left = [];
    for (const [index, recording] of RECORDINGS.entries()) {
        left.push(await leaveFootprint(session.lab, recording, names[index] ?? ""));
    }
    const manifests = left.map(({ manifest }) => manifest);
    const stack = await stackOf("there", manifests);
    t.after(() => stack.clear());
    const keys = names.map((name) => `default/${name}`);
    await stack.config("adopt", JSON.stringify(Object.fromEntries(keys.map((key) => [key, {}]))));
    await untouched(async () => {
        const text = stack.succeed(await stack.preview("--diff"));
        console.log(text);
    });
    await untouched(async () => stack.succeed(await stack.up()));
});
void patch;
void serviceYaml;
void assertTakenUp;
