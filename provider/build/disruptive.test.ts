import assert from "node:assert/strict";
import { test } from "node:test";
import { disruptiveFacts } from "./index";

const facts = { clusterId: "c1" };
const port = (number: number, protocol: "TCP" | "UDP" = "TCP") => ({ port: number, protocol, targetPort: 8080 });

test("defaults are written out, so that stating one is no change", () => {
    const ports = [port(80), port(53, "UDP")];
    const silent = disruptiveFacts({ loadBalancerType: "clb", settings: {}, ports }, facts);
    assert.deepEqual(silent, { proxyProtocol: "off", backendType: "ecs", "listener TCP:80": "tcp", "listener UDP:53": "udp" });
    const stating = { proxyProtocol: "off", backendType: "ecs", protocolPort: [{ protocol: "tcp", port: 80 }] } as const;
    assert.deepEqual(disruptiveFacts({ loadBalancerType: "clb", settings: stating, ports }, facts), silent);
});

test("a redirect is part of its HTTP listener; the cluster's default tells the kind of backends", () => {
    const settings = {
        protocolPort: [
            { protocol: "http", port: 80 },
            { protocol: "https", port: 443 },
        ],
        forwardPort: [{ http: 80, https: 443 }],
    } as const;
    assert.deepEqual(disruptiveFacts({ loadBalancerType: "clb", settings, ports: [port(80), port(443)] }, { ...facts, networkPlugin: "terway" }), {
        proxyProtocol: "off",
        backendType: "eni",
        "listener TCP:80": "http, redirected to 443",
        "listener TCP:443": "https",
    });
});
