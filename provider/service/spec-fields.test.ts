import { expect, test } from "@jest/globals";
import { V1ServiceSpec } from "@kubernetes/client-node";
import { documentOf } from "./manifests";
import { SPEC_FIELDS } from "./spec-fields";
import { parseService } from "./service";

const found = (spec: object, { name = "web", uid, version }: { name?: string; uid?: string; version?: string } = {}) =>
    parseService(
        documentOf({
            apiVersion: "v1",
            kind: "Service",
            metadata: { name, ...(uid === undefined ? {} : { uid }) },
            spec: { type: "LoadBalancer", selector: { app: "web" }, ports: [{ port: 80 }], ...spec },
        }),
        { clusterId: "c1", ...(version === undefined ? {} : { kubernetesVersion: version }) },
    ).diagnostics.map(({ severity, place, cause, remedy }) => ({
        at: `${severity} ${place.path?.slice(1).join(".") ?? ""}`,
        cause,
        remedy: remedy ?? "",
    }));

const places = (...given: Parameters<typeof found>): string[] => found(...given).map(({ at }) => at);

test("the table has every field of the newest Kubernetes client", () => {
    const names = V1ServiceSpec.getAttributeTypeMap().map(({ baseName }) => baseName);
    expect(Object.keys(SPEC_FIELDS)).toStrictEqual(names.sort());
});

for (const [what, spec, expected] of [
    ["loadBalancerIP", { loadBalancerIP: "47.1.2.3" }, ["warning loadBalancerIP"]],
    ["externalIPs", { externalIPs: ["10.0.0.80"] }, ["warning externalIPs"]],
    ["no externalIPs", { externalIPs: [] }, []],
    ["healthCheckNodePort", { healthCheckNodePort: 31999 }, ["warning healthCheckNodePort"]],
    ["healthCheckNodePort 0", { healthCheckNodePort: 0 }, []],
    ["sessionAffinity", { sessionAffinity: "ClientIP" }, ["warning sessionAffinity"]],
    ["sessionAffinity None", { sessionAffinity: "None" }, []],
    ["a cluster with two IP versions", { ipFamilyPolicy: "PreferDualStack" }, ["warning ipFamilyPolicy"]],
    ["appProtocol", { ports: [{ port: 80, appProtocol: "http" }] }, ["warning ports.0.appProtocol"]],
    ["internalTrafficPolicy", { internalTrafficPolicy: "Local" }, ["warning internalTrafficPolicy"]],
    ["trafficDistribution", { trafficDistribution: "PreferSameZone" }, ["warning trafficDistribution"]],
    ["defaults", { internalTrafficPolicy: "Cluster", ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4"] }, []],
] as const)
    test(`a field without an effect on the load balancer: ${what}`, () => {
        expect(places(spec)).toStrictEqual(expected);
    });

test("what a live Service got from its cluster is no mistake", () => {
    expect(places({ healthCheckNodePort: 31999, externalTrafficPolicy: "Cluster" }, { uid: "u-1" })).toStrictEqual([]);
});

test("a misspelt field is not answered by one without an effect", () => {
    const [first] = found({ loadBalancerIp: "47.1.2.3" });
    expect(first).toMatchObject({
        at: "error loadBalancerIp",
        remedy: expect.stringMatching(/^remove it; the annotation id names an existing load balancer/),
    });
});

for (const [spec, version, expected] of [
    [{ trafficDistribution: "PreferLocal" }, undefined, "error trafficDistribution"],
    [{ trafficDistribution: "PreferSameNode" }, "v1.33.1", "error trafficDistribution"],
    [{ trafficDistribution: "PreferClose" }, "v1.30.1", "error trafficDistribution"],
    [{ sessionAffinity: "clientIP" }, undefined, "error sessionAffinity"],
    [{ sessionAffinity: 5 }, undefined, "error sessionAffinity"],
    [{ ipFamilyPolicy: "DualStack" }, undefined, "error ipFamilyPolicy"],
    [{ ipFamilies: ["ipv4"] }, undefined, "error ipFamilies"],
    [{ ipFamilies: "IPv4" }, undefined, "error ipFamilies"],
    [{ ipFamilies: ["IPv4", "IPv4"], ipFamilyPolicy: "PreferDualStack" }, undefined, "error ipFamilies"],
    [{ ipFamilies: ["IPv4", "IPv6"] }, undefined, "error ipFamilies"],
    [{ internalTrafficPolicy: "local" }, undefined, "error internalTrafficPolicy"],
    [{ externalTrafficPolicy: "local" }, undefined, "error externalTrafficPolicy"],
    [{ sessionAffinityConfig: { clientIP: { timeoutSeconds: 600 } } }, undefined, "error sessionAffinityConfig"],
    [
        { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } },
        undefined,
        "error sessionAffinityConfig.clientIP.timeoutSeconds",
    ],
] as const)
    test(`the API server refuses ${JSON.stringify(spec)} ${version ?? ""}`, () => {
        expect(places(spec, version === undefined ? {} : { version })).toContain(expected);
    });

test("values of the API server are accepted in the versions that have them", () => {
    for (const [spec, version] of [
        [{ trafficDistribution: "PreferSameNode" }, "v1.34.0"],
        [{ trafficDistribution: "PreferSameNode" }, undefined],
        [{ sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 600 } } }, undefined],
        [{ ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" }, undefined],
        [{ internalTrafficPolicy: null, ipFamilies: null, sessionAffinityConfig: null }, undefined],
    ] as const)
        expect(
            places(spec, version === undefined ? {} : { version }).filter((at) => at.startsWith("error")),
        ).toStrictEqual([]);
});

for (const [version, expected] of [
    [undefined, []],
    ["v1.36.3", []],
    ["v2.0.0", []],
    ["v1.35.9", ["error name"]],
] as const)
    test(`a name that begins with a digit, in ${version ?? "a cluster of an unknown version"}`, () => {
        const all = found({}, { name: "3scale-gateway", ...(version === undefined ? {} : { version }) });
        expect(all.map(({ at }) => at)).toStrictEqual(expected);
        for (const { cause } of all) expect(cause).toContain("from 1.36 on; the cluster runs v1.35.9");
    });
