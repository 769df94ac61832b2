/**
 * Secrets in programs in YAML: no state has their values, whatever fails.
 * Only a run shows what the CLI writes into its state and prints.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { YamlProgram } from "../support/program";
import { WHOLE } from "../support/sample";
import { assertEmpty, fail, startWorld, stateOf, succeed } from "../support/world";

const SECRET = "hidden-value";

let session: Session;
let stack: YamlProgram;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    await session.cloud("/_seed", {
        vSwitches: [{ id: "vsw-lab-c", vpcId: "vpc-lab", zoneId: "cn-hangzhou-c", cidr: "10.3.0.0/16" }],
    });
    stack = await YamlProgram.create(session, "secrets", "");
});

afterAll(() => session.lab.stop());

/** A Service for each object of properties. */
const program = (...services: readonly object[]): string => {
    const resources = services.map((properties, index) => {
        const service = { name: `shop-${index}`, selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] };
        return [
            `shop-${index}`,
            { type: "ack-loadbalancer:ServiceLoadBalancer", properties: { service, ...properties } },
        ];
    });
    return `resources: ${JSON.stringify(Object.fromEntries(resources))}\n`;
};

const secret = (value: unknown) => ({ "fn::secret": value });

/** Secrets in `cluster`, by field. */
const SECRETS = [
    [
        "account.assumeRole.externalId",
        { account: { assumeRole: { roleArn: "acs:ram::1:role/a", externalId: secret(SECRET) } } },
    ],
    ["account", { account: secret({ assumeRole: { roleArn: "acs:ram::1:role/a", externalId: SECRET } }) }],
    ["vpcCidrs[0]", { vpcCidrs: [secret("10.0.0.0/8")] }],
    ["context", { context: secret(SECRET) }],
] as const;

test("a secret in cluster is refused before anything is registered", async () => {
    const expectRefusal = (text: string, field: string): void => {
        expect(text).toContain(`cluster: ${field}: this is a secret`);
        expect(text).toMatch(/remedy: write the value without secret/);
        expect(text).not.toContain(SECRET);
    };
    // A sample has a field inside another, and a whole field.
    for (const [field, cluster] of WHOLE ? SECRETS : SECRETS.slice(0, 2)) {
        stack.write(program({ cluster }));
        expectRefusal(fail(await stack.up()), field);
    }
    assertEmpty(await stateOf(session));
});

test("a secret name counts like any other, and a failed write leaves secret what was secret", async () => {
    const named = {
        service: { name: secret("named"), selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] },
    };
    const within = (...zones: readonly string[]): string =>
        program(
            {
                loadBalancerType: "nlb",
                references: {
                    zoneVswitches: Object.fromEntries(
                        zones.map((zone) => [`cn-hangzhou-${zone}`, secret(`vsw-lab-${zone}`)]),
                    ),
                },
            },
            named,
        );
    const zonesInState = async (): Promise<string> => {
        const { deployment } = JSON.parse(await stack.state()) as {
            deployment: { resources: readonly { type: string; outputs?: object; initErrors?: unknown }[] };
        };
        const found = deployment.resources.find(({ type }) => type === "ack-loadbalancer:index:LoadBalancerZones");
        return JSON.stringify([found?.outputs, found?.initErrors]);
    };
    stack.write(within("a", "b"));
    succeed(await stack.up());
    expect(await zonesInState()).toMatch(/"zones":\{"4dabf18193072939515e22adb298388d"/);

    await session.cloud("/_faults", { action: "UpdateLoadBalancerZones", code: "Forbidden.RAM", status: 403 });
    stack.write(within("a", "c"));
    fail(await stack.up());
    const state = await zonesInState();
    expect(state).toMatch(/"unsure":true.*"zones":\{"4dabf18193072939515e22adb298388d".*Forbidden/);
    expect(state).not.toContain("vsw-lab");
});
