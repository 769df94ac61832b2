import { expect, test } from "@jest/globals";
import type { Settings } from "../schema/settings";
import { disruptiveFields, interruptions } from "./interruptions";

const facts = { clusterId: "c1" };
const port = (number: number, protocol: "TCP" | "UDP" = "TCP") => ({ port: number, protocol, targetPort: 8080 });

test("defaults are written out, so that stating one is no change", () => {
    const ports = [port(80), port(53, "UDP")];
    const silent = disruptiveFields({ loadBalancerType: "clb", settings: {}, ports }, facts);
    expect(silent).toStrictEqual({
        proxyProtocol: "off",
        backendType: "ecs",
        "listener TCP:80": "tcp",
        "listener UDP:53": "udp",
    });
    const stating = {
        proxyProtocol: "off",
        backendType: "ecs",
        protocolPort: [{ protocol: "tcp", port: 80 }],
    } as const;
    expect(disruptiveFields({ loadBalancerType: "clb", settings: stating, ports }, facts)).toStrictEqual(silent);
});

test("listeners of a reused instance are the user's, unless force-override-listeners is set", () => {
    const fields = (settings: Settings) =>
        disruptiveFields({ loadBalancerType: "clb", settings: { id: "lb-1", ...settings }, ports: [port(80)] }, facts);
    const [left, forced] = [fields({}), fields({ forceOverrideListeners: "true" })];
    expect(left).toMatchObject({ "listener TCP:80": "user-managed" });
    expect(interruptions(forced, left)).toStrictEqual([
        "listener TCP:80 is no longer managed: it is deleted, and the port does not answer until you make one",
    ]);
    // The reuse announces listeners that it replaces.
    expect(interruptions(left, forced)).toStrictEqual([]);
    expect(interruptions(left, fields({ protocolPort: [{ protocol: "http", port: 80 }] }))).toStrictEqual([]);
});

test("a redirect is part of its HTTP listener; the cluster's default sets the backend type", () => {
    const settings = {
        protocolPort: [
            { protocol: "http", port: 80 },
            { protocol: "https", port: 443 },
        ],
        forwardPort: [{ http: 80, https: 443 }],
    } as const;
    expect(
        disruptiveFields(
            { loadBalancerType: "clb", settings, ports: [port(80), port(443)] },
            { ...facts, networkPlugin: "terway" },
        ),
    ).toStrictEqual({
        proxyProtocol: "off",
        backendType: "eni",
        "listener TCP:80": "http, redirected to 443",
        "listener TCP:443": "https",
    });
});

test("an NLB has zones, an address type and kinds of server groups too, and ranges of ports", () => {
    const settings = {
        zoneMaps: [
            { zoneId: "cn-hangzhou-a", vswitchId: "vsw-1", privateIpv4: "10.0.0.9", allocationId: "eip-1" },
            { zoneId: "cn-hangzhou-b", vswitchId: "vsw-2" },
        ],
        protocolPort: [{ protocol: "tcpssl", port: 443 }],
        listenerPortRange: [{ from: 1000, to: 2000, port: 80 }],
        backendType: "eni",
    } as const;
    const silent = {
        proxyProtocol: "off",
        backendType: "eni",
        addressType: "internet",
        serverGroupType: "Instance",
        "zone cn-hangzhou-a": "vsw-1 10.0.0.9 eip-1",
        "zone cn-hangzhou-b": "vsw-2",
        "listener TCP:80": "tcp, on ports 1000-2000",
        "listener TCP:443": "tcpssl",
    };
    const ports = [port(80), port(443)];
    expect(disruptiveFields({ loadBalancerType: "nlb", settings, ports }, facts)).toStrictEqual(silent);
    expect(
        disruptiveFields(
            {
                loadBalancerType: "nlb",
                settings: { ...settings, addressType: "internet", serverGroupType: "Instance" },
                ports,
            },
            facts,
        ),
    ).toStrictEqual(silent);
});
