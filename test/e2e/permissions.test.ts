/** The permissions of docs/ram-policy.md, as they are written there, are enough for what a stack does; nothing else is allowed here. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { parse, stringify } from "yaml";
import { applyYaml, REPOSITORY, type Session } from "../../lab";
import { Program } from "../support/program";
import { assertEmpty, serviceYaml, startWorld, stateOf } from "../support/world";

const DOCUMENT = fs.readFileSync(path.join(REPOSITORY, "docs/ram-policy.md"), "utf8");

let session: Session;
let kubeconfig: string;

beforeAll(async () => {
    session = await startWorld();
    const policy = JSON.parse(/```json\n([\s\S]*?)```/.exec(DOCUMENT)![1]!) as { Statement: { Action: string[] }[] };
    await session.cloud("/_ram", { actions: policy.Statement.flatMap(({ Action }) => Action) });
    kubeconfig = await restrictedKubeconfig();
});

afterAll(() => session.lab.stop());

/** A user with the documented ClusterRole and nothing else. */
async function restrictedKubeconfig(): Promise<string> {
    const role = /```yaml\n(apiVersion: rbac[\s\S]*?)```/.exec(DOCUMENT)![1]!;
    await applyYaml(
        session.lab.cluster,
        `${role}---\napiVersion: v1\nkind: ServiceAccount\nmetadata: { name: runner, namespace: default }\n---\n` +
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: { name: runner }\n" +
            "roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ack-loadbalancer }\n" +
            "subjects: [{ kind: ServiceAccount, name: runner, namespace: default }]\n",
    );
    const { text } = await session.run("kubectl", ["create", "token", "runner", "--duration", "4h"]);
    const config = parse(fs.readFileSync(session.lab.variables["KUBECONFIG"]!, "utf8")) as {
        users: { user: object }[];
    };
    config.users[0]!.user = { token: text.trim() };
    const file = path.join(session.lab.dir, "runner.kubeconfig");
    fs.writeFileSync(file, stringify(config), { mode: 0o600 });
    return file;
}

const program = (source: string): string => `const cluster = new Cluster({ clusterId: "c-permissions" });\n${source}`;

const APPLIED = program(
    `new ServiceLoadBalancer("web", { cluster, service: { name: "web", selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] } });`,
);
const FOLLOWED = program(`ServiceLoadBalancer.forExisting("own", { cluster, namespace: "default", name: "own" });`);

test("preview, up, a run with nothing to do, refresh and destroy of a Service that the stack applies", async () => {
    const stack = await Program.create(session, "applied", APPLIED);
    stack.env = { KUBECONFIG: kubeconfig };
    stack.succeed(await stack.preview());
    stack.succeed(await stack.up());
    stack.succeed(await stack.up("--expect-no-changes"));
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});

test("a Service that another tool applies: followed, claimed, and let go", async () => {
    await applyYaml(session.lab.cluster, serviceYaml({ name: "own" }));
    const stack = await Program.create(session, "followed", FOLLOWED);
    stack.env = { KUBECONFIG: kubeconfig };
    stack.succeed(await stack.preview());
    stack.succeed(await stack.up());
    stack.succeed(await stack.up("--expect-no-changes"));
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});

test("a user who may not read the cluster gets one message with cause and remedy, without a stack trace", async () => {
    await session.run("kubectl", ["delete", "clusterrolebinding", "runner"]);
    const stack = await Program.create(session, "forbidden", APPLIED);
    stack.env = { KUBECONFIG: kubeconfig };
    const all = stack.fail(await stack.preview());
    // The progress of the run repeats what the diagnostics say.
    const text = all.slice(all.indexOf("Diagnostics:"));
    expect(text.match(/get service default\/web failed at .*: forbidden/g)).toHaveLength(1);
    expect(text).toMatch(/remedy: bind a ClusterRole of docs\/ram-policy\.md/);
    expect(text).not.toMatch(/unhandled|error serializing|\n {4}at /i);
});
