/** Requirements: I14. */
import { expect, test } from "@jest/globals";
import { listenerOptions, observedAttributes, optionDefaults, plainAttributes, pluginArguments, rowsOf } from ".";
import { LOAD_BALANCER_TYPES } from "../../schema/load-balancer-type";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { Settings } from "../../schema/settings";

test("a plain attribute has an input of the plugin, or a default to go back to", () => {
    for (const type of LOAD_BALANCER_TYPES)
        for (const { field, attribute, defaults } of rowsOf(type))
            if (attribute !== undefined)
                expect([type, field, attribute.property !== undefined || defaults.length > 0]).toStrictEqual([
                    type,
                    field,
                    true,
                ]);
});

test("an attribute is the set value or the protocol's default, or absent if it does not apply", () => {
    expect(plainAttributes("nlb", { cps: 5 }, { protocol: "tcp" })).toStrictEqual({ idleTimeout: 900, cps: 5 });
    expect(plainAttributes("nlb", {}, { protocol: "udp" })).toStrictEqual({});
    expect(plainAttributes("nlb", { idleTimeout: 60 }, { protocol: "udp" })).toStrictEqual({ idleTimeout: 60 });
    const { healthCheckUri, healthyThreshold } = plainAttributes("clb", {}, { protocol: "tcp", check: "http" });
    expect([healthCheckUri, healthyThreshold]).toStrictEqual(["/", 3]);
    expect("healthCheckUri" in plainAttributes("clb", {}, { protocol: "tcp", check: "tcp" })).toBe(false);
    expect("healthyThreshold" in plainAttributes("clb", {}, { protocol: "http" })).toBe(false);
});

test("plugin arguments keep numbers and texts, write switches as the plugin does, nest objects", () => {
    expect(
        pluginArguments("clb", {
            idleTimeout: 30,
            http2Enabled: "off",
            proxyProtocol: "on",
            healthCheckHttpcode: ["http_2xx", "http_3xx"],
            xforwardedforProto: "on",
            xforwardedforSlbport: "on",
        }),
    ).toStrictEqual({
        idleTimeout: 30,
        enableHttp2: "off",
        proxyProtocolV2Enabled: true,
        healthCheckHttpCode: "http_2xx,http_3xx",
        xForwardedFor: { retriveSlbProto: true },
    });
});

test("options: what the plugin has no input for, by the API's names", () => {
    expect(listenerOptions("clb", { idleTimeout: 30, xforwardedforSlbport: "on" })).toStrictEqual({
        XForwardedFor_SLBPORT: "on",
    });
    expect(optionDefaults("clb")).toStrictEqual({
        HealthCheckConnectPort: "-520",
        XForwardedFor_SLBPORT: "off",
        XForwardedFor_ClientSrcPort: "off",
    });
    expect(optionDefaults("nlb")).toStrictEqual({});
});

test("a listener that has what is asked for is observed as what the plugin would be given", () => {
    const settings: Settings = {
        protocolPort: [{ protocol: "https", port: 443 }],
        xforwardedforProto: "on",
        healthCheckHttpcode: ["http_4xx"],
        requestTimeout: 5,
    };
    const wanted = pluginArguments<Record<string, unknown>>(
        "clb",
        plainAttributes("clb", settings, { protocol: "https", check: "http" }),
    );
    const pluginArgumentsOf = (type: LoadBalancerType, reported: object) =>
        pluginArguments<Record<string, unknown>>(type, observedAttributes(type, { ...reported }));
    const observed = pluginArgumentsOf("clb", {
        XForwardedFor_proto: "on",
        HealthCheckHttpCode: "http_4xx",
        RequestTimeout: 5,
        EnableHttp2: "on",
    });
    for (const [name, value] of Object.entries(wanted)) expect([name, observed[name]]).toStrictEqual([name, value]);
    expect(pluginArgumentsOf("clb", { ProxyProtocolV2Enabled: true })["proxyProtocolV2Enabled"]).toBe(true);
    // The API may report what no annotation can say.
    expect(pluginArgumentsOf("clb", { RequestTimeout: 9999 })["requestTimeout"]).toBe(9999);
});

/** Settings for which the documents give no default (requirement I14). */
const WITHOUT_DEFAULT = {
    ofApi: [
        "connectionDrain",
        "establishedTimeout",
        "healthCheckDomain",
        "healthCheckMethod",
        "healthCheckTimeout",
        "healthCheckUri",
    ],
    ofCloud: ["connectionDrainTimeout", "name", "resourceGroupId", "vgroupPort", "weight"],
};

test("a default that no document states is left to the cloud, or is the API's and says so", () => {
    const rows = rowsOf("clb");
    const docOf = (name: string) => rows.find(({ field }) => field === name)?.doc;
    for (const name of WITHOUT_DEFAULT.ofApi)
        expect(docOf(name)).toMatch(
            /No document states a default; that of the API is sent: a removed annotation goes back to it\./,
        );
    const sent = rows.filter(({ defaults }) => defaults.length > 0).map(({ field }) => String(field));
    expect(WITHOUT_DEFAULT.ofCloud.filter((name) => sent.includes(name))).toStrictEqual([]);
});
