/** Bindings that a program makes with sync on. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { FakeCluster, loadBalancerMocks } from "./mocks";
import { ServiceLoadBalancer } from "./service-load-balancer";

const mocks = loadBalancerMocks();
beforeAll(() => pulumi.runtime.setMocks(mocks, "project", "stack"));
afterAll(() => pulumi.runtime.disconnect());

const ROLE = "acs:ram::2000000000000002:role/load-balancers";

function expose(name: string, account: object, sync = true): ServiceLoadBalancer {
    const cluster = new FakeCluster({ clusterId: `c-${name}`, sync, account }, { nodes: ["a"] });
    return new ServiceLoadBalancer(name, {
        cluster,
        service: { name, selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
    });
}

/** Waits until something is registered, for at most 10,000 turns of the event loop. */
async function comes(what: string, isThere: () => boolean): Promise<void> {
    for (let turn = 0; !isThere(); turn++) {
        if (turn === 10_000) throw new Error(`${what} did not come`);
        await new Promise((wake) => setImmediate(wake));
    }
}

test("a binding names region, group, mark and Service, and the role of another account", async () => {
    expose("elsewhere", { region: "cn-shanghai", assumeRole: { roleArn: ROLE, externalId: "x" } });
    const made = () => mocks.registered.filter(({ type }) => type.endsWith(":ServerGroupBinding"));
    // It is registered once everything that it names is known.
    await comes("a binding", () => made().length > 0);
    const bindings = made();
    expect(bindings).toHaveLength(1);
    expect(bindings[0]?.inputs["spec"]).toMatchObject({
        region: "cn-shanghai",
        assumeRole: { roleArn: ROLE, externalId: "x" },
        serviceName: "elsewhere",
        backendType: "ecs",
        serverGroup: { type: "VServer" },
    });
});

test("pods are looked up in the VPC of the cluster, by the run and by the controller", async () => {
    const cluster = new FakeCluster({ clusterId: "c-pods", vpcId: "vpc-1", sync: true }, { nodes: ["a"] });
    const registered = async (name: string, backendType: "eni" | "ecs") => {
        const before = mocks.registered.length;
        new ServiceLoadBalancer(name, {
            cluster,
            region: "cn-hangzhou",
            service: { name, selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
            settings: { backendType },
        });
        const made = (kind: string) => mocks.registered.slice(before).find(({ type }) => type.endsWith(kind))?.inputs;
        await comes(`the binding of ${name}`, () => made(":ServerGroupBinding") !== undefined);
        const [group] = Object.values(made(":Backends")?.["groups"] as Record<string, object>);
        return [group, made(":ServerGroupBinding")?.["spec"]];
    };
    expect(await registered("pods", "eni")).toMatchObject([{ vpcId: "vpc-1" }, { vpcId: "vpc-1" }]);
    const [filled, spec] = await registered("nodes", "ecs");
    expect(filled).not.toHaveProperty("vpcId");
    expect(spec).not.toHaveProperty("vpcId");
});

test("a profile of this machine is refused with sync on, and before anything is registered", () => {
    const before = mocks.registered.length;
    expect(() => expose("profile", { region: "cn-shanghai", profile: "acme" })).toThrow(
        /the profile acme is of this machine.*Remedy: name a role/,
    );
    expect(mocks.registered).toHaveLength(before);
    expose("without-sync", { region: "cn-shanghai", profile: "acme" }, false);
});
