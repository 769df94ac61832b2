/**
 * Services of programs in YAML, from `pulumi up` to `pulumi destroy`: the plugin serves components and resources, and
 * no package of Node is in the program's folder.
 * Only a run shows how the engine, its language host for YAML and the plugin work together.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY, scaleDeployment, type Session, waitForEndpoints } from "../../lab";
import { eventsOfServices } from "../support/events";
import { violation } from "../support/violation";
import { assertEmpty, callsOf, fail, startWorld, stateOf, succeed, writesOf } from "../support/world";
import { YamlProgram } from "../support/program";

let session: Session;
let stack: YamlProgram;

/** Two Services, the first with settings, the second with further properties. */
const program = (settings: string, more = ""): string => `
resources:
  shop:
    type: ack-loadbalancer:ServiceLoadBalancer
    properties:
      service:
        name: shop
        selector: { app: shop }
        ports: [{ port: 80, targetPort: 8080 }]
        externalTrafficPolicy: Local
      settings: { ${settings} }
  admin:
    type: ack-loadbalancer:ServiceLoadBalancer
    properties:
      service: { name: admin, selector: { app: shop }, ports: [{ port: 443, targetPort: 8080 }] }${more}
outputs:
  address: \${shop.address}
`;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await YamlProgram.create(session, "yaml", program("scheduler: wrr"));
});

afterAll(() => session.lab.stop());

test("up previews backends of both Services, for the policy pack, and creates load balancers", async () => {
    const pack = path.join(REPOSITORY, "policies");
    const text = succeed(await stack.pulumi("up", "--yes", "--diff", "--policy-pack", pack));
    const [preview] = text.split("Resources:");
    expect(preview).toMatch(/ack-loadbalancer:index:Backends: \(create\)/);
    expect(preview).toMatch(/i-\w+\s*: \{\s*weight\s*: [12]\b/);
    expect(text).toMatch(violation("advisory", "exposure-open"));
    expect(text).not.toMatch(/can't run policy/);
    const { slb } = await stateOf(session);
    expect(slb.listeners.map(({ attributes }) => attributes["Scheduler"]).sort()).toStrictEqual(["rr", "wrr"]);
    const address = /address\s*: "\d.*"/.exec(text)?.[0].replace(/\s+:/, ":");
    expect(slb.loadBalancers.map(({ address }) => `address: "${address}"`)).toContain(address);
    expect(await eventsOfServices(session)).toHaveLength(2);
});

test("another run has nothing to do", async () =>
    expect(await callsOf(session, async () => succeed(await stack.up("--expect-no-changes")))).toStrictEqual({}));

test("a setting changes one listener, and more pods change weights, which the preview shows", async () => {
    stack.write(program("scheduler: sch"));
    await scaleDeployment(session.lab.cluster, "default", "shop", 9);
    await waitForEndpoints(session.lab.cluster, "default", "shop", 9);
    const calls = await callsOf(session, async () => {
        const [preview] = succeed(await stack.pulumi("up", "--yes", "--diff")).split("Resources:");
        expect(preview).toMatch(/weight: [12] => \d/);
    });
    expect(calls).toMatchObject({ SetLoadBalancerTCPListenerAttribute: 1 });
});

test("an edit in the console is shown by a refreshed preview, and reverted by a refreshed up", async () => {
    const weights = async () =>
        (await stateOf(session)).slb.vServerGroups
            .filter(({ name }) => name.includes("/shop/"))
            .flatMap(({ id, backends }) => backends.map((one) => ({ ...one, group: id })));
    const before = await weights();
    const [edited] = before;
    await session.cloud("/_console", {
        action: "SetVServerGroupAttribute",
        params: {
            VServerGroupId: edited?.group,
            BackendServers: JSON.stringify([{ ServerId: edited?.serverId, Port: edited?.port, Weight: 77 }]),
        },
        as: "other",
    });
    const [preview] = succeed(await stack.pulumi("up", "--yes", "--refresh", "--diff")).split("Resources:");
    expect(preview).toMatch(/weight: 77 => \d/);
    expect(await weights()).toStrictEqual(before);
});

test("the report tells what a preview does to traffic", async () => {
    stack.write(program("scheduler: rr"));
    const file = path.join(stack.folder, "preview.json");
    fs.writeFileSync(file, succeed(await stack.preview("--json")));
    const { text } = await session.run("ack-loadbalancer", ["report", file, "--format", "text"]);
    expect(text).toMatch(/1 of 1 Service: 1 listener changes in place, no connection breaks/);
    expect(text).toMatch(/listener tcp:80\s+scheduler: sch → rr/);
});

test("all mistakes of a Service are reported at once, with place and remedy, as in TypeScript", async () => {
    stack.write(program("bandwidth: 9999").replace("name: shop\n", "name: Shop_1\n"));
    const text = fail(await stack.preview());
    for (const message of [
        /Service default\/Shop_1: settings.bandwidth: "9999" is not valid: must be a whole number from 1 to 5120/,
        /Service default\/Shop_1: metadata.name: /,
    ])
        expect(text).toMatch(message);
    stack.write(program("scheduler: sch", "\n      manifest: 'kind: Service'"));
    const both = /resource 'admin' has a problem: .*give either manifest or service, not both and not neither/;
    expect(await callsOf(session, async () => expect(fail(await stack.up())).toMatch(both))).toStrictEqual({});
});

test("names and types that the schema does not have are reported with their lines", async () => {
    stack.write(program("schedulr: wrr, bandwidth: many", "\n      folow: true"));
    const text = fail(await stack.preview());
    for (const message of [
        /bandwidth: Cannot assign type 'string' to type 'integer'/,
        /Property folow does not exist on 'ack-loadbalancer:index:ServiceLoadBalancer'\s+on Pulumi.yaml line \d+/,
        /Existing properties are: follow,/,
    ])
        expect(text).toMatch(message);
});

test("a cluster is given by value, and compared with the one that answers", async () => {
    stack.write(program("scheduler: sch", "\n      cluster: { clusterId: c-other }"));
    expect(fail(await stack.preview())).toMatch(/"c-other" is configured, but the cluster says that it is "c-test"/);
});

test("components of one cluster may state more or fewer facts, and contradictions are one error", async () => {
    const stating = (shop: string, admin: string): string =>
        program("scheduler: sch", `\n      cluster: ${admin}`).replace(
            "settings:",
            `cluster: ${shop}\n      settings:`,
        );
    stack.write(stating("{ sync: false }", "{ clusterId: c-test, sync: false, vpcCidrs: [10.0.0.0/8] }"));
    expect(await writesOf(session, async () => succeed(await stack.up()))).toStrictEqual({});
    stack.write(stating("{ vpcCidrs: [10.0.0.0/8] }", "{ vpcCidrs: [172.16.0.0/12] }"));
    const text = fail(await stack.preview());
    expect(text).toMatch(/contradict each other: vpcCidrs is \["\d.*"\] and \["\d.*"\]\. Remedy: state each fact/);
    expect(text).not.toMatch(/already registered/);
});

test("destroy deletes everything", async () => {
    succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});
