/**
 * Writes `testdata/previews`: what `pulumi preview --json --show-sames` prints for each scenario, in a lab.
 *
 * With names as arguments only those scenarios are recorded.
 */
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY, scaleDeployment, type Session, waitForDeployment } from "../../lab";
import { PLAIN, Stack, startWorld, succeed } from "../../test/support/world";
import { type Scenario, SCENARIOS } from "./scenarios";

const FOLDER = path.join(REPOSITORY, "testdata", "previews");

/** Pods of `shop` while nothing else is said. */
const PODS = 4;

const call = (action: string, params: object, id?: string) => ({ action, params, ...(id === undefined ? {} : { id }) });

/** Objects of users: certificates, another zone, an instance with a listener. */
const SEED = {
    certificates: [{ id: "cert-one" }, { id: "cert-two" }],
    vSwitches: [{ id: "vsw-lab-c", vpcId: "vpc-lab", zoneId: "cn-hangzhou-c", cidr: "10.3.0.0/16" }],
    calls: [
        call(
            "CreateLoadBalancer",
            { LoadBalancerName: "users", AddressType: "internet", InstanceChargeType: "PayByCLCU" },
            "lb-users",
        ),
        call("CreateVServerGroup", { LoadBalancerId: "lb-users", VServerGroupName: "users" }, "rsp-users"),
        call("CreateLoadBalancerTCPListener", {
            LoadBalancerId: "lb-users",
            ListenerPort: "9000",
            Bandwidth: "-1",
            VServerGroupId: "rsp-users",
            Description: "users' own",
        }),
    ],
};

async function record(session: Session, scenario: Scenario): Promise<void> {
    const stack = await Stack.create(session, scenario.name, scenario.before);
    await stack.config("vpcId", "vpc-lab");
    if (scenario.before.length > 0) stack.succeed(await stack.up());
    stack.write(scenario.after);
    for (const [key, value] of Object.entries(scenario.config ?? {})) await stack.config(key, value);
    await scale(session, scenario.replicas ?? PODS);
    const text = succeed(
        await session.run("pulumi", ["preview", "--stack", stack.name, "--json", "--show-sames", ...PLAIN]),
    );
    const preview = JSON.parse(text.slice(text.indexOf("{")), tidy(stack.name)) as unknown;
    fs.writeFileSync(path.join(FOLDER, `${scenario.name}.json`), `${JSON.stringify(preview, undefined, 1)}\n`);
    await scale(session, PODS);
    stack.succeed(await stack.destroy());
    stack.succeed(await session.run("pulumi", ["stack", "rm", "--yes", "--force", stack.name, "--non-interactive"]));
    fs.rmSync(path.join(REPOSITORY, `Pulumi.${stack.name}.yaml`), { force: true });
}

async function scale(session: Session, replicas: number): Promise<void> {
    await scaleDeployment(session.lab.cluster, "default", "shop", replicas);
    await waitForDeployment(session.lab.cluster, "default", "shop");
}

/** Position in the program at which a resource was registered, of no use to a reader of previews. */
const LEFT_OUT: ReadonlySet<string> = new Set(["sourcePosition", "stackTrace", "resourceHooks"]);

/** Leaves out what differs from machine to machine, and the providers' own text. */
function tidy(stack: string): (key: string, value: unknown) => unknown {
    return (key, value) => {
        if (LEFT_OUT.has(key)) return undefined;
        if (typeof value !== "string") return value;
        if (key === "__provider") return "<provider>";
        return value
            .replaceAll(stack, "dev")
            .replaceAll(REPOSITORY, "/project")
            .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:6443")
            .replaceAll(/\/\S*\/ack-lab-\w+\//g, "/lab/");
    };
}

async function main(names: readonly string[]): Promise<void> {
    fs.mkdirSync(FOLDER, { recursive: true });
    const session = await startWorld();
    try {
        await session.cloud("/_seed", SEED);
        for (const scenario of SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name))) {
            process.stderr.write(`${scenario.name}\n`);
            await record(session, scenario);
        }
    } finally {
        await session.lab.stop();
    }
}

void main(process.argv.slice(2));
