/**
 * Stacks whose program changes its language, from TypeScript to YAML and back: resources keep what they stand for, and
 * the cloud is not written to.
 * Only a run shows whether the engine takes over the resources of another language's program.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { leaveFootprint, RECORDED_CLUSTER } from "../../examples/migrate-from-ccm/ccm";
import { applyYaml, REPOSITORY, type Result, Session, waitForDeployment } from "../../lab";
import { Program, YamlProgram } from "../support/program";
import { startRecorded } from "../support/recorded";
import { installBindings } from "../support/replica";
import { deploymentYaml, fail, serviceYaml, stateOf, succeed, writesOf } from "../support/world";

const MANIFESTS = fs
    .readFileSync(path.join(REPOSITORY, "testdata/states/0.1.0/services.yaml"), "utf8")
    .split("---\n")
    .map((manifest) => ({ name: /name: (\w+)/.exec(manifest)?.[1] ?? "", manifest }));

let session: Session;
/** Session for programs in YAML, which find no package of Node: a plugin that stays would. */
let processes: Session;

beforeAll(async () => {
    session = await startRecorded({ isResident: true });
    processes = new Session(session.lab);
    const { cluster } = session.lab;
    await applyYaml(cluster, deploymentYaml("shop", 3));
    await waitForDeployment(cluster, "default", "shop");
    await installBindings(session);
    const instance = (id: string) => ({
        action: "CreateLoadBalancer",
        id,
        params: { LoadBalancerName: id, AddressType: "internet", InstanceChargeType: "PayByCLCU" },
    });
    await session.cloud("/_seed", {
        certificates: [{ id: "cert-one" }, { id: "cert-two" }],
        calls: [instance("lb-users"), instance("lb-followed")],
    });
});

afterAll(() => session.lab.stop());

/** A program in both languages. */
interface Translated {
    readonly typescript: string;
    readonly yaml: string;
}

/** Moves a stack to the other language and expects that nothing changes. */
async function moves(to: Program | YamlProgram): Promise<void> {
    const before = await stateOf(session);
    expect(await writesOf(session, async () => succeed(await to.up("--expect-no-changes")))).toStrictEqual({});
    expect(await stateOf(session)).toStrictEqual(before);
}

/** Refreshes a stack that has been moved, and expects that nothing changes. */
async function refreshes(stack: Program | YamlProgram): Promise<void> {
    const run = async () => succeed(await stack.up("--refresh", "--expect-no-changes"));
    expect(await writesOf(session, run)).toStrictEqual({});
}

/** A stack whose program can be written in either language. The first makes it. */
async function begin(name: string, translated: Translated, first: keyof Translated = "typescript") {
    const programs = { typescript: new Program(session, name), yaml: new YamlProgram(processes, name) };
    // A program in TypeScript finds no plugin of this package, which may be installed for it alone.
    programs.typescript.env = { PULUMI_IGNORE_AMBIENT_PLUGINS: "true" };
    const write = (language: keyof Translated): Program | YamlProgram => {
        const program = programs[language];
        program.write(translated[language]);
        return program;
    };
    succeed(await write(first).init());
    succeed(await programs[first].up());
    return write;
}

const service = (name: string, port: number) => ({
    name,
    selector: { app: "shop" },
    ports: [{ name: "http", port, targetPort: 8080 }],
});

const CLUSTER = { clusterId: RECORDED_CLUSTER, vpcId: "vpc-lab" };

test("load balancers of every origin stay, there and back", async () => {
    const { live } = await leaveFootprint(session.lab, "seed-26-https-domain-extensions", "adopted");
    await applyYaml(
        session.lab.cluster,
        serviceYaml({
            name: "followed",
            loadBalancerClass: "ack-loadbalancer.io/clb",
            annotations: { id: "lb-followed", "force-override-listeners": "true" },
        }),
    );
    const shared = [service("web", 80), service("api", 8080)];
    const typescript = `
module.exports = Cluster.discover(${JSON.stringify(CLUSTER)}).then(async (cluster) => {
    for (const { name, manifest } of ${JSON.stringify(MANIFESTS)}) new ServiceLoadBalancer(name, { cluster, manifest });
    const loadBalancer = new SharedLoadBalancer("front", { cluster });
    for (const { name, ...more } of ${JSON.stringify(shared)})
        new ServiceLoadBalancer(name, { cluster, loadBalancer, service: { name, ...more } });
    const existing = (name) => ({ cluster, namespace: "default", name });
    await ServiceLoadBalancer.forExisting("followed", existing("followed"));
    await ServiceLoadBalancer.adopt("adopted", existing(${JSON.stringify(live.metadata.name)}));
    return {};
});`;
    const resource = (type: string, properties: object) => ({
        type: `ack-loadbalancer:${type}`,
        properties: { cluster: CLUSTER, ...properties },
    });
    const yaml = JSON.stringify({
        ...Object.fromEntries(
            MANIFESTS.map(({ name, manifest }) => [name, resource("ServiceLoadBalancer", { manifest })]),
        ),
        front: resource("SharedLoadBalancer", {}),
        ...Object.fromEntries(
            shared.map((one) => [
                one.name,
                resource("ServiceLoadBalancer", { service: one, loadBalancer: "${front}" }),
            ]),
        ),
        followed: resource("ServiceLoadBalancer", { namespace: "default", name: "followed" }),
        adopted: resource("ServiceLoadBalancer", { namespace: "default", name: live.metadata.name, adopt: true }),
    });
    const written = await begin("origins", { typescript, yaml: `resources: ${yaml}\n` });
    const moved = written("yaml");
    await moves(moved);
    await refreshes(moved);
    await moves(written("typescript"));
});

/** A Service, in both languages. */
const translated = (name: string, args: object = {}, cluster: object = CLUSTER): Translated => ({
    typescript: `
module.exports = Cluster.discover(${JSON.stringify(cluster)}).then((cluster) => {
    new ServiceLoadBalancer("${name}", { cluster, ...${JSON.stringify({ service: service(name, 80), ...args })} });
    return {};
});`,
    yaml: `resources: ${JSON.stringify({
        [name]: {
            type: "ack-loadbalancer:ServiceLoadBalancer",
            properties: { cluster, service: service(name, 80), ...args },
        },
    })}\n`,
});

test("a synced Service stays, from YAML and back, and refused runs change nothing", async () => {
    const cluster = { ...CLUSTER, sync: true };
    const written = await begin("synced", translated("synced", {}, cluster), "yaml");
    const moved = written("typescript");
    await moves(moved);
    await refreshes(moved);
    const before = await stateOf(session);
    const refused = async (run: () => Promise<Result>): Promise<string> => {
        let text = "";
        expect(await writesOf(session, async () => (text = fail(await run())))).toStrictEqual({});
        return text;
    };

    // Without packages of Node a run that needs the former language ends.
    const program = written("yaml");
    program.write("resources: {}\n");
    for (const run of [() => program.up(), () => program.destroy()]) {
        const text = await refused(run);
        expect(text).toMatch(/Cannot find module '@pulumi\/pulumi/);
        expect(text).toMatch(/could not load provider for resource .*pulumi-nodejs:dynamic\/ack-loadbalancer:/);
    }

    // A change that the cloud cannot make.
    program.write(translated("synced", { settings: { addressType: "intranet" } }, cluster).yaml);
    expect(await refused(() => program.up())).toMatch(
        /Service default\/synced: addressType cannot change from "internet" to "intranet".*Remedy: /,
    );
    expect(await stateOf(session)).toStrictEqual(before);
    // The refused run has made the choice of a vSwitch, which only the plugin deletes.
    const back = written("typescript");
    back.env = {};
    expect(await writesOf(session, async () => succeed(await back.up()))).toStrictEqual({});
    expect(await stateOf(session)).toStrictEqual(before);
    await moves(written("yaml"));
});
