/**
 * Components of programs in YAML beyond a new Service: a shared load balancer, a Service that is there, an adoption, a
 * Service that is exposed no longer, the sync controller.
 * Only a run shows how the engine, its language host for YAML and the plugin work together.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { leaveFootprint } from "../../examples/migrate-from-ccm/ccm";
import { applyYaml, type Session } from "../../lab";
import { startRecorded, untouched } from "../support/recorded";
import { assertEmpty, fail, serviceYaml, stateOf, succeed } from "../support/world";
import { YamlProgram } from "../support/program";

let session: Session;
let stack: YamlProgram;

const service = (name: string, port: number): string =>
    `{ name: ${name}, selector: { app: shop }, ports: [{ port: ${port}, targetPort: 8080 }] }`;

beforeAll(async () => {
    session = await startRecorded({ isResident: true });
    stack = await YamlProgram.create(session, "components", "");
});

afterEach(async () => void succeed(await stack.destroy()));
afterAll(() => session.lab.stop());

test("two Services share a load balancer, and a port that both want is refused", async () => {
    const program = (port: number): string => `
resources:
  front:
    type: ack-loadbalancer:SharedLoadBalancer
    properties: { settings: { spec: slb.s1.small, instanceChargeType: PayBySpec } }
  a:
    type: ack-loadbalancer:ServiceLoadBalancer
    properties: { loadBalancer: "\${front}", service: ${service("a", 80)} }
  b:
    type: ack-loadbalancer:ServiceLoadBalancer
    properties: { loadBalancer: "\${front}", service: ${service("b", port)} }
outputs: { address: "\${front.address}", managed: "\${a.managed}" }
`;
    stack.write(program(80));
    expect(fail(await stack.preview())).toMatch(/tcp:80/);
    stack.write(program(81));
    expect(succeed(await stack.up())).toMatch(/managed: "shared"/);
    const { slb } = await stateOf(session);
    expect([slb.loadBalancers.length, slb.listeners.length]).toStrictEqual([1, 2]);
    succeed(await stack.up("--expect-no-changes"));
});

test("a Service that another tool has applied gets a load balancer, and stays in the cluster", async () => {
    await applyYaml(session.lab.cluster, serviceYaml({ name: "there" }));
    stack.write(`
resources:
  there:
    type: ack-loadbalancer:ServiceLoadBalancer
    properties: { namespace: default, name: there }
`);
    succeed(await stack.up());
    expect((await stateOf(session)).slb.loadBalancers).toHaveLength(1);
    succeed(await stack.destroy());
    expect(await session.lab.cluster.find("/api/v1/namespaces/default/services/there")).toBeDefined();
});

test("a load balancer of the Cloud Controller Manager is adopted without a write", async () => {
    const { live } = await leaveFootprint(session.lab, "seed-01-internet-clb-default", "adopted");
    stack.write(`
resources:
  adopted:
    type: ack-loadbalancer:ServiceLoadBalancer
    properties: { namespace: default, name: ${live.metadata.name}, adopt: true }
`);
    expect(await untouched(session, async () => succeed(await stack.preview()))).toMatch(/alicloud:slb.*import/);
    await untouched(session, async () => succeed(await stack.up()));
    await untouched(session, async () => succeed(await stack.up("--expect-no-changes")));
});

test("a Service that changes its type stays, and its load balancer goes", async () => {
    stack.write(`
resources:
  shop:
    type: ack-loadbalancer:ServiceLoadBalancer
    properties: { service: ${service("shop", 80)} }
`);
    succeed(await stack.up());
    stack.write(`
resources:
  shop:
    type: ack-loadbalancer:UnexposedService
    properties:
      namespace: default
      name: shop
      object:
        apiVersion: v1
        kind: Service
        metadata: { name: shop, namespace: default }
        spec: { type: ClusterIP, selector: { app: shop }, ports: [{ port: 80, targetPort: 8080 }] }
`);
    succeed(await stack.up());
    assertEmpty(await stateOf(session));
    expect(await session.lab.cluster.find("/api/v1/namespaces/default/services/shop")).toMatchObject({
        spec: { type: "ClusterIP" },
    });
});

test("the sync controller is installed", async () => {
    stack.write(`
resources:
  sync:
    type: ack-loadbalancer:SyncController
    properties: { image: "registry.example.com/ack-loadbalancer:1.0.0" }
`);
    expect(succeed(await stack.preview())).toMatch(/kubernetes:apps\/v1:Deployment/);
});
