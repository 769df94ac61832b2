/**
 * The engine and its plugins are killed during the first `up`, after a kind of create: the call was sent, and its
 * response was lost.
 * The documented recovery (`pulumi cancel`, `pulumi up`) converges, with no duplicate and no orphan.
 * Only a run shows what is left of processes that are killed, and which state they have written.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { setTimeout } from "node:timers/promises";
import { type Result, type Session, waitFor } from "../../lab";
import { onTestFinished } from "../support/finished";
import { WHOLE } from "../support/sample";
import { assertEmpty, type CloudState, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";

const SERVICES: readonly ServiceSpec[] = [
    {
        name: "local",
        policy: "Local",
        annotations: { scheduler: "wrr", "health-check-switch": "off" },
        ports: [{ port: 8443 }],
    },
    { name: "web", annotations: { "protocol-port": "http:80", name: "web-lb" } },
];

/** Actions of other creations, and of the calls that complete them. tools/trials has all for each kind of run. */
const ACTIONS = WHOLE
    ? [
          "AddVServerGroupBackendServers",
          "TagResources",
          "CreateVServerGroup",
          "CreateLoadBalancerTCPListener",
          "CreateLoadBalancerHTTPListener",
          "StartLoadBalancerListener",
          "SetLoadBalancerTCPListenerAttribute",
      ]
    : [];

/** Delay of the effect of a call in milliseconds, long enough to kill the engine before. */
const DELAY = 1500;

let session: Session;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
});

afterAll(async () => {
    await session.lab.stop();
});

/**
 * Kills the process of the first `up` during a call, recovers as documented, and passes the cloud's state to the check
 * before the stack is removed.
 *
 * @param run how the commands that recover are run
 */
async function crash(
    action: string,
    services: readonly ServiceSpec[],
    check: (slb: CloudState["slb"]) => void,
    run = (...args: string[]): Promise<Result> => session.run("pulumi", args),
): Promise<void> {
    const stack = await Stack.create(session, `crash-${action.toLowerCase()}`, services);
    onTestFinished(() => stack.clear());
    await session.cloud("/_faults", { action, delayMs: DELAY, times: 1 });
    const since = await session.lastCall();
    const up = session.start("pulumi", stack.commandLine("up", "--yes", "--skip-preview"));
    await waitFor(`${action} under way`, async () =>
        (await session.cloud<{ hits: number }[]>("/_faults"))[0]?.hits === 1 ? true : undefined,
    );
    up.kill();
    await up.done;
    // Another call of the action may have been carried out before.
    await setTimeout(DELAY);
    await waitFor(`${action} carried out`, async () =>
        (await session.calls(since)).some((call) => call.action === action && call.code === "OK") ? true : undefined,
    );
    await session.cloud("/_faults", undefined, "DELETE");

    stack.succeed(await run("cancel", "--yes", "--stack", stack.name));
    stack.succeed(await run(...stack.commandLine("up", "--yes", "--skip-preview")));

    check((await stateOf(session)).slb);
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    await stack.remove();
    assertEmpty(await stateOf(session));
}

const expectWhole = (slb: CloudState["slb"]): void => {
    expect(slb.listeners.map(({ port, protocol, status }) => `${protocol}:${port} ${status}`).sort()).toStrictEqual([
        "http:80 running",
        "tcp:8443 running",
    ]);
    expect(slb.loadBalancers).toHaveLength(2);
    expect(slb.vServerGroups).toHaveLength(2);
    expect(slb.vServerGroups.map(({ backends }) => backends.length)).toStrictEqual([3, 3]);
};

test("killed during CreateLoadBalancer, recovered by new processes", () =>
    crash("CreateLoadBalancer", SERVICES, expectWhole, (...args) => session.start("pulumi", args).done));

for (const action of ACTIONS) test(`killed during ${action}`, () => crash(action, SERVICES, expectWhole));

test("killed during CreateDomainExtension", async () => {
    await session.cloud("/_seed", { certificates: [{ id: "cert-one" }, { id: "cert-two" }] });
    const annotations = {
        "protocol-port": "https:443",
        "cert-id": "cert-one",
        "domain-extensions": "a.example.com:cert-two",
    };
    await crash("CreateDomainExtension", [{ name: "tls", ports: [{ port: 443 }], annotations }], (slb) => {
        expect(slb.domainExtensions.map(({ domain, certificateId }) => [domain, certificateId])).toStrictEqual([
            ["a.example.com", "cert-two"],
        ]);
    });
});
