/**
 * Components of programs in YAML beyond a new Service: a shared load balancer, a Service that is there, an adoption, a
 * Service that is exposed no longer, the sync controller.
 * Only a run shows how the engine, its language host for YAML and the plugin work together.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { leaveFootprint } from "../../examples/migrate-from-ccm/ccm";
import { applyYaml, type Session } from "../../lab";
import { startRecorded, untouched } from "../support/recorded";
import { assertEmpty, type CloudState, fail, serviceYaml, stateOf, succeed } from "../support/world";
import { YamlProgram } from "../support/program";

let session: Session;
let stack: YamlProgram;

const service = (name: string, port: number): string =>
    `{ name: ${name}, selector: { app: shop }, ports: [{ port: ${port}, targetPort: 8080 }] }`;

/** Two Services on a load balancer of the program, of which the second wants this port. */
const sharing = (port: number): string => `
  front:
    type: ack-loadbalancer:SharedLoadBalancer
    properties: { settings: { spec: slb.s1.small, instanceChargeType: PayBySpec } }
  a:
    type: ack-loadbalancer:ServiceLoadBalancer
    properties: { loadBalancer: "\${front}", service: ${service("a", 80)} }
  b:
    type: ack-loadbalancer:ServiceLoadBalancer
    properties: { loadBalancer: "\${front}", service: ${service("b", port)} }
`;

/** A Service of the Cloud Controller Manager. */
const ADOPTED = `
  adopted:
    type: ack-loadbalancer:ServiceLoadBalancer
    properties: { namespace: default, name: adopted, adopt: true }
`;

const SYNC = `
  sync:
    type: ack-loadbalancer:SyncController
    properties: { image: "registry.example.com/ack-loadbalancer:1.0.0" }
`;

/** A Service that another tool has applied. */
const THERE = `
  there:
    type: ack-loadbalancer:ServiceLoadBalancer
    properties: { namespace: default, name: there }
`;

const EXPOSED = `
  shop:
    type: ack-loadbalancer:ServiceLoadBalancer
    properties: { service: ${service("shop", 80)} }
`;

const UNEXPOSED = `
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
`;

beforeAll(async () => {
    session = await startRecorded({ isResident: true });
    stack = await YamlProgram.create(session, "components", "");
});

afterAll(() => session.lab.stop());

const inCluster = (name: string) => session.lab.cluster.find(`/api/v1/namespaces/default/services/${name}`);

test("a load balancer of the Cloud Controller Manager is adopted without a write", async () => {
    await leaveFootprint(session.lab, "seed-01-internet-clb-default", "adopted");
    stack.write(`resources:${ADOPTED}${SYNC}`);
    const text = await untouched(session, async () => succeed(await stack.preview()));
    expect(text).toMatch(/alicloud:slb.*import/);
    // The sync controller is installed.
    expect(text).toMatch(/kubernetes:apps\/v1:Deployment/);
    stack.write(`resources:${ADOPTED}`);
    await untouched(session, async () => succeed(await stack.up()));
});

test("a port that two Services of a shared load balancer want is refused", async () => {
    stack.write(`resources:${ADOPTED}${sharing(80)}`);
    expect(fail(await stack.preview())).toMatch(/tcp:80/);
});

test("Services share a load balancer, another tool's Service gets one, and the adopted one stays", async () => {
    await applyYaml(session.lab.cluster, serviceYaml({ name: "there" }));
    const { slb: before } = await stateOf(session);
    const outputs = 'outputs: { address: "${front.address}", managed: "${a.managed}" }\n';
    stack.write(`resources:${ADOPTED}${sharing(81)}${THERE}${EXPOSED}${outputs}`);
    expect(succeed(await stack.up())).toMatch(/managed: "shared"/);
    const { slb } = await stateOf(session);
    // One of a and b, and those of there and shop.
    expect(slb.loadBalancers).toHaveLength(before.loadBalancers.length + 3);
    expect(slb.listeners).toHaveLength(before.listeners.length + 4);
    expect(instancesOf(slb, "a", "b").size).toBe(1);
    expect(slb.loadBalancers).toEqual(expect.arrayContaining([...before.loadBalancers]));
    await untouched(session, async () => succeed(await stack.up("--expect-no-changes")));
});

/** Instances on which the Services' groups are. */
const instancesOf = ({ vServerGroups }: CloudState["slb"], ...names: readonly string[]): Set<string> =>
    new Set(
        vServerGroups
            .filter(({ name }) => names.some((one) => name.includes(`/${one}/`)))
            .map(({ loadBalancerId }) => loadBalancerId),
    );

test("a Service that changes its type stays, and its load balancer goes", async () => {
    stack.write(`resources:${UNEXPOSED}`);
    succeed(await stack.up());
    assertEmpty(await stateOf(session));
    expect(await inCluster("shop")).toMatchObject({ spec: { type: "ClusterIP" } });
    expect(await inCluster("there")).toBeDefined();
});
