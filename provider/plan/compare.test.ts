/** The comparisons name each input of the alicloud plugin that differs: an import keeps the inputs that they name. */
import { expect, test } from "@jest/globals";
import { isDeepStrictEqual } from "node:util";
import { compareClbInstance, compareClbListener } from "../clb/compare";
import { type ClbListener, clbListenerArguments, type ObservedClbListener } from "../clb/listener";
import { clbInstanceArguments, type ObservedClbLoadBalancer } from "../clb/load-balancer";
import { compareNlbGroup, compareNlbInstance, compareNlbListener } from "../nlb/compare";
import { type NlbListener, nlbListenerArguments, type ObservedNlbListener } from "../nlb/listener";
import { nlbInstanceArguments, type ObservedNlbLoadBalancer } from "../nlb/load-balancer";
import { nlbGroupArguments, type NlbServerGroup, type ObservedNlbServerGroup } from "../nlb/server-group";
import { defined } from "../schema/defined";
import type { Difference } from "../schema/difference";
import { markedProtectionReason, PROTECTION_REASON } from "../schema/names";
import type { Settings } from "../schema/settings";
import type { Service } from "../service/service";
import { buildClb, buildNlb } from "./desired";

const FACTS = { clusterId: "c1" };
const MARKS = { mark: "a1", tags: { "ack.aliyun.com": "c1" } };

const serviceOf = (loadBalancerType: "clb" | "nlb", settings: Settings): Service => ({
    namespace: "shop",
    name: "web",
    selector: {},
    ports: [{ port: 80, protocol: "TCP", targetPort: 8080, nodePort: 30080 }],
    externalTrafficPolicy: "Cluster",
    loadBalancerType,
    loadBalancerSourceRanges: [],
    object: {},
    settings,
});

/** Settings with another value each, by the settings that they stand beside. */
const CLB: readonly (readonly [base: Settings, others: Settings])[] = [
    [
        {},
        {
            name: "front",
            addressType: "intranet",
            chargeType: "paybybandwidth",
            spec: "slb.s2.small",
            instanceChargeType: "PayBySpec",
            deleteProtection: "off",
            modificationProtection: "NonProtection",
            additionalResourceTags: { team: "a" },
            masterZoneid: "a",
            slaveZoneid: "b",
            resourceGroupId: "rg-1",
            ipVersion: "ipv6",
            scheduler: "wrr",
            persistenceTimeout: 60,
            establishedTimeout: 60,
            healthCheckSwitch: "off",
            healthCheckType: "http",
            healthCheckConnectTimeout: 9,
            healthCheckInterval: 9,
            healthyThreshold: 9,
            unhealthyThreshold: 9,
            healthCheckConnectPort: 9,
            proxyProtocol: "on",
        },
    ],
    [
        { aclStatus: "on", aclId: "acl-1", aclType: "white" },
        { aclStatus: "off", aclId: "acl-2", aclType: "black" },
    ],
    [
        { protocolPort: [{ protocol: "https", port: 80 }], certId: "cert-1", healthCheckFlag: "on" },
        {
            certId: "cert-2",
            healthCheckFlag: "off",
            healthCheckUri: "/up",
            healthCheckHttpCode: "http_4xx",
            healthCheckMethod: "get",
            healthCheckTimeout: 9,
            idleTimeout: 9,
            requestTimeout: 9,
            http2Enabled: "off",
            tlsCipherPolicy: "tls_cipher_policy_1_2",
            xForwardedForProto: "on",
        } as Settings,
    ],
    [
        {
            protocolPort: [{ protocol: "http", port: 80 }],
            stickySession: "on",
            stickySessionType: "insert",
            cookieTimeout: 60,
            cookie: "b",
        },
        { stickySession: "off", stickySessionType: "server", cookieTimeout: 90 },
    ],
];

const ZONES = ["a", "b"].map((zone) => ({ zoneId: zone, vswitchId: `vsw-${zone}` }));

const NLB: typeof CLB = [
    [
        { zoneMaps: ZONES },
        {
            name: "front",
            addressType: "intranet",
            ipVersion: "DualStack",
            crossZoneEnabled: "off",
            deleteProtection: "off",
            modificationProtection: "NonProtection",
            additionalResourceTags: { team: "a" },
            proxyProtocol: "on",
            cps: 9,
            idleTimeout: 60,
            scheduler: "rr",
            connectionDrain: "on",
            serverGroupType: "Ip",
            preserveClientIp: "off",
            healthCheckFlag: "off",
            healthCheckType: "http",
            healthCheckInterval: 9,
        },
    ],
    [
        {
            zoneMaps: ZONES,
            protocolPort: [{ protocol: "tcpssl", port: 80 }],
            certId: "cert-1",
            cacert: "on",
            cacertId: "ca-1",
            alpn: "on",
            alpnPolicy: "HTTP2Only",
            proxyProtocol: "on",
            connectionDrain: "on",
            connectionDrainTimeout: 30,
            healthCheckType: "http",
        },
        {
            certId: "cert-2",
            cacert: "off",
            cacertId: "ca-2",
            alpn: "off",
            alpnPolicy: "HTTP1Only",
            ppv2PvlVpcIdEnabled: "on",
            connectionDrainTimeout: 60,
            healthCheckUri: "/up",
            healthCheckMethod: "head",
            healthCheckDomain: "a.example",
        },
    ],
];

const CASES = (["clb", "nlb"] as const).flatMap((type) =>
    (type === "clb" ? CLB : NLB).flatMap(([base, others]) =>
        Object.entries(others).flatMap(([setting, value]) => {
            const other = { ...base, [setting]: value };
            return [
                [`${type}: ${setting}`, type, base, other] as const,
                [`${type}: ${setting}, back`, type, other, base] as const,
            ];
        }),
    ),
);

/** Inputs that differ, of those that a program sets. */
const inputsOf = (desired: object, observed: object): string[] =>
    Object.entries(defined(desired))
        .filter(([name, value]) => !isDeepStrictEqual(value, (observed as Record<string, unknown>)[name]))
        .map(([name]) => name);

const named = (found: readonly Difference[]) => found.flatMap(({ inputs }) => inputs);

function clbSides(settings: Settings) {
    const { loadBalancer, listeners } = buildClb(serviceOf("clb", settings), FACTS);
    const [listener] = listeners as [ClbListener];
    const { key, serverGroup, tls, ...attributes } = listener;
    const { name = MARKS.mark, additionalTags, vswitch, preserve, sourceRanges, ...instance } = loadBalancer;
    const reason = loadBalancer.name === undefined ? PROTECTION_REASON : markedProtectionReason(MARKS.mark);
    const observed = { addsAddress: false, addsId: false, compresses: true, bandwidth: -1, status: "running" };
    return {
        loadBalancer,
        listener,
        instance: {
            ...instance,
            kind: "clb",
            id: "lb-1",
            name,
            ...(loadBalancer.modificationProtection === "ConsoleProtection" && {
                modificationProtectionReason: reason,
            }),
            tags: { ...additionalTags, ...MARKS.tags },
        } as ObservedClbLoadBalancer,
        found: {
            ...attributes,
            ...observed,
            ...(tls && { tls }),
            kind: "clb",
            description: "d",
        } as ObservedClbListener,
        // Name, vSwitch and charge are arguments of the component.
        instanceInputs: clbInstanceArguments(loadBalancer, reason, MARKS.tags),
        listenerInputs: clbListenerArguments(listener, {
            description: "d",
            aclIds: (listener.access.status === "on" && listener.access.aclIds) || [],
            certId: undefined,
            forwardPort: undefined,
        }),
    };
}

function nlbSides(settings: Settings) {
    const { loadBalancer, listeners, serverGroups } = buildNlb(serviceOf("nlb", settings), FACTS);
    const [listener] = listeners as [NlbListener];
    const [group] = serverGroups as [NlbServerGroup];
    const { key, serverGroup, ...attributes } = listener;
    const { key: _, kind, ports, backendPort, ...members } = group;
    const { name = MARKS.mark, additionalTags, preserve, sourceRanges, ...instance } = loadBalancer;
    return {
        loadBalancer,
        listener,
        group,
        instance: {
            ...instance,
            kind: "nlb",
            id: "nlb-1",
            name,
            ...(loadBalancer.modificationProtection === "ConsoleProtection" && {
                modificationProtectionReason: PROTECTION_REASON,
            }),
            tags: { ...additionalTags, ...MARKS.tags },
        } as ObservedNlbLoadBalancer,
        found: { ...attributes, kind: "nlb", description: "d", status: "Running", tags: {} } as ObservedNlbListener,
        members: { ...members, name: "g", tags: MARKS.tags } as unknown as ObservedNlbServerGroup,
        instanceInputs: nlbInstanceArguments(loadBalancer, MARKS.tags),
        listenerInputs: nlbListenerArguments(listener, "d"),
        groupInputs: nlbGroupArguments(group),
    };
}

const PLACE = { ...MARKS, owner: undefined };

const compared = (type: "clb" | "nlb", before: Settings, after: Settings) => {
    if (type === "clb") {
        const [was, is] = [clbSides(before), clbSides(after)];
        return [
            [
                inputsOf(is.instanceInputs, was.instanceInputs),
                compareClbInstance(is.loadBalancer, was.instance, PLACE, { settings: {}, facts: FACTS }),
            ],
            [inputsOf(is.listenerInputs, was.listenerInputs), compareClbListener(is.listener, was.found, PLACE)],
        ] as const;
    }
    const [was, is] = [nlbSides(before), nlbSides(after)];
    return [
        [inputsOf(is.instanceInputs, was.instanceInputs), compareNlbInstance(is.loadBalancer, was.instance, PLACE)],
        [inputsOf(is.listenerInputs, was.listenerInputs), compareNlbListener(is.listener, was.found, PLACE)],
        [inputsOf(is.groupInputs, was.groupInputs), compareNlbGroup(is.group, was.members, PLACE, "g")],
    ] as const;
};

test.each(CASES)("%s", (_, type, before, after) => {
    for (const [inputs, differences] of compared(type, before, after))
        expect(named(differences)).toEqual(expect.arrayContaining(inputs));
    for (const [, differences] of compared(type, after, after)) expect(differences).toStrictEqual([]);
});

test.each([
    ["left to the cloud", undefined, []],
    ["asked for", "head", ["healthCheck.method"]],
] as const)("the method of a TCP listener's health check that is %s", (_, healthCheckMethod, expected) => {
    const byHttp: Settings = { healthCheckType: "http", healthCheckUri: "/" };
    const was = clbSides({ ...byHttp, healthCheckMethod: "get" });
    const is = clbSides({ ...byHttp, ...defined({ healthCheckMethod }) });
    const found = compareClbListener(is.listener, was.found, PLACE).map(({ attribute }) => attribute);
    expect(found).toStrictEqual(expected);
});
