import { beforeEach, expect, jest, test } from "@jest/globals";
import { scriptedCloud } from "../../../../test/support/cloud-client";
import type * as Handler from "../handler";
import type * as Options from "./listener";

/** Attributes of each listener in the cloud, by port. */
let listeners: Record<string, object> = {};

jest.doMock("../handler", () => ({
    ...jest.requireActual<typeof Handler>("../handler"),
    openPlace: () => {
        const { cloud } = scriptedCloud(({ action, params }) => ({
            body: action.startsWith("Describe") ? { Status: "running", ...listeners[params["ListenerPort"]!] } : {},
        }));
        const call: typeof cloud.call = (product, action, params, ...rest) => {
            calls.push(`${action.replace(/LoadBalancer|ListenerAttribute/g, "")} ${String(params?.["ListenerPort"])}`);
            return cloud.call(product, action, params, ...rest);
        };
        return { ...cloud, call };
    },
}));

const options = jest.requireActual<typeof Options>("./listener");

const calls: string[] = [];
beforeEach(() => {
    calls.length = 0;
    listeners = {};
});

const DEFAULTS = { ConnectionDrain: "off" };
const DRAINS = { ConnectionDrain: "on", ConnectionDrainTimeout: "30" };

const inputs = (byPort: Record<number, Record<string, string>>) => ({
    loadBalancerId: "lb-1",
    listeners: Object.fromEntries(
        Object.entries(byPort).map(([port, of]) => [
            `tcp-${port}`,
            { port: Number(port), protocol: "tcp", options: of, status: "running" } as const,
        ]),
    ),
});

test("listeners with nothing but defaults cost no call", async () => {
    await options.create(inputs({ 80: DEFAULTS, 443: DEFAULTS }));
    expect(calls).toStrictEqual([]);
});

test("a listener that comes gets its options, and one that stays is left alone", async () => {
    const { outs } = await options.create(inputs({ 80: DEFAULTS }));
    await options.update("listeners", outs, inputs({ 80: DEFAULTS, 443: DRAINS }));
    expect(calls).toStrictEqual(["DescribeTCP 443", "SetTCP 443"]);
});

test("a listener that goes costs no call, and a successor with another protocol gets options", async () => {
    const { outs } = await options.create(inputs({ 80: DEFAULTS, 443: DRAINS }));
    calls.length = 0;
    const next = inputs({ 443: DRAINS });
    const udp = { ...next, listeners: { "udp-443": { ...next.listeners["tcp-443"]!, protocol: "udp" as const } } };
    await options.update("listeners", outs, udp);
    expect(calls).toStrictEqual(["DescribeUDP 443", "SetUDP 443"]);
});

test("removing an option restores its default, also while a neighbour is replaced", async () => {
    listeners = { 80: DRAINS, 443: {} };
    // The engine makes the resource again with a listener that is replaced.
    await options.create(inputs({ 80: DEFAULTS, 443: DRAINS }));
    expect(calls.toSorted()).toStrictEqual(["DescribeTCP 443", "DescribeTCP 80", "SetTCP 443", "SetTCP 80"]);
});

test("a listener that was stopped by hand is started", async () => {
    listeners = { 80: { Status: "stopped" }, 443: {} };
    const { outs } = await options.create(inputs({ 80: DEFAULTS, 443: DEFAULTS }));
    const { props, inputs: seen } = await options.read("listeners", outs);
    expect(Object.values(seen!.listeners).map(({ status }) => status)).toStrictEqual(["stopped", "running"]);
    calls.length = 0;
    await options.update("listeners", props!, inputs({ 80: DEFAULTS, 443: DEFAULTS }));
    expect(calls).toStrictEqual(["StartListener 80"]);
});
