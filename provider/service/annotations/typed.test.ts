import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
    UNKNOWN_REFERENCE,
    mergeSettings,
    readAnnotations,
    readTypedSettings,
    settingsToAnnotations,
    type SettingOf,
    type Settings,
    type SettingValue,
} from ".";

const noText = (): undefined => undefined;
const onOff = fc.constantFrom("on", "off");
const port = fc.integer({ min: 1, max: 65535 });
const chars = (set: string, minLength: number, maxLength: number): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...set), minLength, maxLength });
const LOWER = "abcdefghijklmnopqrstuvwxyz0123456789";
const id = (prefix: string): fc.Arbitrary<string> =>
    fc.oneof(
        chars(LOWER, 1, 20).map((text) => prefix + text),
        fc.constant(UNKNOWN_REFERENCE),
    );
const dns = fc
    .array(chars(LOWER, 1, 10), { minLength: 1, maxLength: 4 })
    .map((labels) => [...labels, "example"].join("."));
const pairs = (key: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<Record<string, string>> =>
    fc.dictionary(key, value, { minKeys: 1, maxKeys: 5, noNullPrototype: true });
const integer = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const record = <T>(model: { [Key in keyof T]: fc.Arbitrary<T[Key]> }): fc.Arbitrary<T> =>
    fc.record(model, { noNullPrototype: true });
const list = <T>(entry: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(entry, { minLength: 1, maxLength: 4 });

const arbitraries: { readonly [Field in SettingOf<"clb">]: fc.Arbitrary<SettingValue<Field>> } = {
    addressType: fc.constantFrom("internet", "intranet"),
    vswitchId: id("vsw-"),
    instanceChargeType: fc.constantFrom("PayBySpec", "PayByCLCU"),
    spec: fc.constantFrom("slb.s1.small", "slb.s3.large"),
    chargeType: fc.constantFrom("paybytraffic", "paybybandwidth"),
    bandwidth: integer(1, 5120),
    id: id("lb-"),
    forceOverrideListeners: fc.constantFrom("true", "false"),
    masterZoneid: fc.constantFrom("cn-hangzhou-k"),
    slaveZoneid: fc.constantFrom("cn-hangzhou-j"),
    ip: fc.ipV4(),
    ipVersion: fc.constantFrom("ipv4", "ipv6"),
    additionalResourceTags: pairs(
        chars("abcXYZ0189.:/_-团", 1, 12),
        chars("abcXYZ0189 .:/_-@支", 0, 12).map((text) => text.trim()),
    ),
    name: chars("abcXYZ019._-网", 1, 30).map((text) => `a${text}`),
    resourceGroupId: id("rg-"),
    deleteProtection: onOff,
    modificationProtection: fc.constantFrom("ConsoleProtection", "NonProtection"),
    preserveLbOnDelete: fc.string({ minLength: 1 }).filter((text) => !text.includes("${")),
    hostname: dns,
    protocolPort: list(record({ protocol: fc.constantFrom("tcp", "udp", "http", "https"), port })),
    scheduler: fc.constantFrom("rr", "wrr", "sch", "tch"),
    aclStatus: onOff,
    aclId: list(id("acl-")).map((ids) => ids.join(",")),
    aclType: fc.constantFrom("white", "black"),
    persistenceTimeout: integer(0, 3600),
    stickySession: onOff,
    stickySessionType: fc.constantFrom("insert", "server"),
    cookieTimeout: integer(1, 86400),
    cookie: chars("abcXYZ019-_.!", 1, 50),
    certId: id(""),
    forwardPort: list(record({ http: port, https: port })),
    domainExtensions: list(record({ domain: dns, certId: id("") })),
    tlsCipherPolicy: fc.constantFrom("tls_cipher_policy_1_0", "tls_cipher_policy_1_2_strict"),
    http2Enabled: onOff,
    proxyProtocol: onOff,
    connectionDrain: onOff,
    connectionDrainTimeout: integer(10, 900),
    xforwardedforProto: onOff,
    xforwardedforSlbport: onOff,
    xforwardedforClientsrcport: onOff,
    idleTimeout: integer(1, 60),
    requestTimeout: integer(1, 180),
    establishedTimeout: integer(10, 900),
    healthCheckSwitch: onOff,
    healthCheckFlag: onOff,
    healthCheckType: fc.constantFrom("tcp", "http"),
    healthCheckUri: chars("abc/._-?&%#", 0, 79).map((text) => `/${text}`),
    healthCheckHttpcode: list(fc.constantFrom("http_2xx", "http_3xx", "http_4xx", "http_5xx")),
    healthCheckDomain: fc.oneof(fc.constant("$_ip"), dns),
    healthCheckMethod: fc.constantFrom("head", "get"),
    healthCheckConnectTimeout: integer(1, 300),
    healthCheckTimeout: integer(1, 300),
    healthCheckInterval: integer(1, 50),
    healthCheckConnectPort: fc.oneof(fc.constant(-520), integer(1, 65535)),
    healthyThreshold: integer(2, 10),
    unhealthyThreshold: integer(2, 10),
    backendLabel: pairs(
        fc.oneof(
            chars("abcXYZ019", 1, 10),
            dns.map((prefix) => `${prefix}/zone`),
        ),
        chars("abcXYZ019", 0, 10),
    ),
    removeUnscheduledBackend: onOff,
    backendType: fc.constantFrom("eni", "ecs"),
    vgroupPort: list(record({ vgroupId: id("rsp-"), port })),
    weight: integer(0, 100),
    ignoreWeightUpdate: onOff,
    backendIpVersion: fc.constantFrom("ipv4", "ipv6"),
    defaultWeight: integer(0, 100),
    gracefulShutdown: fc.constantFrom("true", "false"),
    type: fc.constantFrom("clb", "nlb"),
    networkType: fc.constantFrom("vpc", "classic"),
    externalIpType: fc.constant("eip"),
};

const anySettings = fc.record(arbitraries, {
    requiredKeys: [],
    noNullPrototype: true,
}) as fc.Arbitrary<Settings>;

test("settings survive being written as annotations and read again", () => {
    fc.assert(
        fc.property(anySettings, (settings) => {
            const { settings: again, diagnostics } = readAnnotations(settingsToAnnotations(settings), noText);
            expect(diagnostics).toStrictEqual([]);
            expect(again).toStrictEqual(settings);
            expect(readTypedSettings(settings).settings).toStrictEqual(again);
        }),
    );
});

test("reading annotations never throws, and every diagnostic has a place", () => {
    const key = fc.oneof(
        fc.string(),
        fc.constantFrom(
            ...Object.keys(
                settingsToAnnotations({
                    spec: "slb.s1.small",
                    protocolPort: [{ protocol: "tcp", port: 1 }],
                    additionalResourceTags: { a: "b" },
                }),
            ),
        ),
    );
    fc.assert(
        fc.property(fc.dictionary(key, fc.anything()), (annotations) => {
            for (const diagnostic of readAnnotations(annotations, noText).diagnostics)
                expect((diagnostic.setting ?? diagnostic.place.path ?? []).length).toBeGreaterThan(0);
        }),
    );
});

test("typed settings are checked by the same rules", () => {
    const { settings, diagnostics } = readTypedSettings({
        bandwidth: 9999,
        idleTimeout: 1.5,
        scheduler: "least",
        spce: "x",
        name: undefined,
        weight: 7,
    } as unknown as Settings);
    expect(settings).toStrictEqual({ weight: 7 });
    expect(
        diagnostics.map((diagnostic) => [diagnostic.code, diagnostic.setting ?? diagnostic.place.path]),
    ).toStrictEqual([
        ["annotation-value", "bandwidth"],
        ["annotation-value", "idleTimeout"],
        ["annotation-value", "scheduler"],
        ["annotation-unknown", ["settings", "spce"]],
    ]);
    expect(diagnostics[3]?.remedy).toBe('did you mean "spec"?');
});

test("values of the wrong type are refused instead of printed somehow", () => {
    const wrong = {
        bandwidth: "5",
        protocolPort: "http:80",
        additionalResourceTags: ["a"],
        spec: 7,
        forwardPort: [1],
        backendLabel: {},
        protocolPort2: 1,
    };
    const { settings, diagnostics } = readTypedSettings(wrong as unknown as Settings);
    expect(settings).toStrictEqual({});
    expect(diagnostics).toHaveLength(7);
    expect(() => settingsToAnnotations({ bandwidth: "5" } as unknown as Settings)).toThrow(TypeError);
});

test("annotations and settings may agree, but not differ", () => {
    const from = (settings: Settings): ReturnType<typeof readAnnotations> =>
        readAnnotations(settingsToAnnotations(settings), noText);
    const typed = (settings: Settings): ReturnType<typeof readAnnotations> => readTypedSettings(settings);
    expect(mergeSettings(from({ scheduler: "wrr" }), typed({ scheduler: "wrr", weight: 1 })).diagnostics).toStrictEqual(
        [],
    );
    expect(mergeSettings(from({ scheduler: "rr" }), typed({ weight: 1 })).settings).toStrictEqual({
        scheduler: "rr",
        weight: 1,
    });
    const [conflict] = mergeSettings(from({ scheduler: "rr" }), typed({ scheduler: "wrr" })).diagnostics;
    expect([conflict?.code, conflict?.setting]).toStrictEqual(["setting-conflict", "scheduler"]);
});

test("NLB settings survive a round trip through annotations, and CLB settings there are advice", () => {
    const settings: Settings = {
        zoneMaps: [
            { zoneId: "cn-hangzhou-k", vswitchId: "vsw-1", privateIpv4: "10.0.0.9" },
            { zoneId: "cn-hangzhou-j", vswitchId: "vsw-2", allocationId: "eip-1" },
        ],
        protocolPort: [{ protocol: "tcpssl", port: 443 }],
        listenerPortRange: [{ from: 80, to: 100, port: 80 }],
        securityGroupIds: ["sg-1", "sg-2"],
        ipVersion: "DualStack",
        healthCheckDomain: "$SERVER_IP",
        serverGroupType: "Ip",
    };
    const read = readAnnotations(settingsToAnnotations(settings), noText, "nlb");
    expect([read.settings, read.diagnostics]).toStrictEqual([settings, []]);
    expect(readTypedSettings(settings, "nlb").settings).toStrictEqual(settings);
    const advice = readTypedSettings({ hostname: "a.example", cps: 5 }, "nlb");
    expect([advice.settings, advice.diagnostics.map(({ code, severity }) => `${severity} ${code}`)]).toStrictEqual([
        { cps: 5 },
        ["warning annotation-scope"],
    ]);
});
