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
            const { LoadBalancerId: _, ListenerPort, ...attributes } = params ?? {};
            calls.push(`${action.replace(/LoadBalancer|ListenerAttribute/g, "")} ${String(ListenerPort)}`);
            if (action.startsWith("Set")) written[String(ListenerPort)] = attributes;
            return cloud.call(product, action, params, ...rest);
        };
        return { ...cloud, call };
    },
}));

const options = jest.requireActual<typeof Options>("./listener");

const calls: string[] = [];
/** Attributes of the last call that changed a listener, by port. */
let written: Record<string, object> = {};
beforeEach(() => {
    calls.length = 0;
    written = {};
    listeners = {};
});

const DEFAULTS = { ConnectionDrain: "off" };
const DRAINS = { ConnectionDrain: "on", ConnectionDrainTimeout: "30" };

const inputs = (byPort: Record<number, Record<string, string>>, protocol: "tcp" | "http" = "tcp") => ({
    loadBalancerId: "lb-1",
    listeners: Object.fromEntries(
        Object.entries(byPort).map(([port, of]) => [
            `tcp-${port}`,
            { port: Number(port), protocol, options: of, status: "running" } as const,
        ]),
    ),
});

test("listeners with nothing but defaults are not written, neither at first nor later", async () => {
    const { outs } = await options.create(inputs({ 80: DEFAULTS, 443: DEFAULTS }));
    expect(calls.toSorted()).toStrictEqual(["DescribeTCP 443", "DescribeTCP 80"]);
    calls.length = 0;
    await options.update("listeners", outs, inputs({ 443: DEFAULTS }));
    expect(calls).toStrictEqual([]);
});

test("a listener that comes gets its options, and one that stays is left alone", async () => {
    const { outs } = await options.create(inputs({ 80: DEFAULTS }));
    calls.length = 0;
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

test("options that are all removed go back to their defaults, also while a neighbour is replaced", async () => {
    listeners = { 443: { ...DRAINS, HealthCheck: "off", HealthCheckDomain: "shop.example.com" }, 80: {} };
    await options.create(inputs({ 80: DEFAULTS, 443: { ...DEFAULTS, HealthCheckSwitch: "on" } }));
    expect(written).toStrictEqual({
        443: { ConnectionDrain: "off", HealthCheckSwitch: "on", HealthCheckDomain: "$_ip" },
    });
});

test("what the plugin writes of a listener is left to it", async () => {
    listeners = { 80: { HealthCheck: "off", HealthCheckMethod: "get" } };
    await options.create(inputs({ 80: {} }, "http"));
    expect(written).toStrictEqual({});
});

test("the method of a TCP listener's health check is written: the cloud has no documented default", async () => {
    listeners = { 80: {} };
    const { outs } = await options.create(inputs({ 80: { ...DEFAULTS, HealthCheckMethod: "head" } }));
    expect(written).toStrictEqual({ 80: { HealthCheckMethod: "head" } });
    written = {};
    await options.update("listeners", outs, inputs({ 80: DEFAULTS }));
    await options.update("listeners", outs, inputs({ 80: { ...DEFAULTS, HealthCheckMethod: "get" } }));
    expect(written).toStrictEqual({ 80: { HealthCheckMethod: "get" } });
});

test("a listener that was stopped by hand is started", async () => {
    const { outs } = await options.create(inputs({ 80: DEFAULTS, 443: DEFAULTS }));
    listeners = { 80: { Status: "stopped" }, 443: {} };
    const { props, inputs: seen } = await options.read("listeners", outs);
    expect(Object.values(seen!.listeners).map(({ status }) => status)).toStrictEqual(["stopped", "running"]);
    calls.length = 0;
    await options.update("listeners", props!, inputs({ 80: DEFAULTS, 443: DEFAULTS }));
    expect(calls).toStrictEqual(["StartListener 80"]);
});

test("a listener that a run which failed has left stopped is started with its options", async () => {
    listeners = { 80: { Status: "stopped" } };
    await options.create(inputs({ 80: DRAINS, 443: DEFAULTS }));
    expect(calls.toSorted()).toStrictEqual(["DescribeTCP 443", "DescribeTCP 80", "SetTCP 80", "StartListener 80"]);
});
