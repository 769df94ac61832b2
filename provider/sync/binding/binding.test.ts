import { expect, test } from "@jest/globals";
import { buildClb, buildNlb } from "../../plan/desired";
import { groupBackends } from "../../backends";
import type { ServerGroup } from "../../schema/server-group";
import { documentOf } from "../../service/manifests";
import { parseService, type Service } from "../../service/service";
import type { ClusterFacts } from "../../schema/facts";
import { binding, endpoint, MARK, node, slice, spec } from "../../../test/support/sync-world";
import { bindingDefinition } from "./crd";
import { modelOf, specOf } from "./model";
import { bindingKeyOf, readSpec, readStatus } from "./object";
import { BINDING_SPEC } from "./spec";
import { conditionOf, messageOf } from "./status";
import { found } from "../../../test/support/found";

const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";
const ZONES = "cn-hangzhou-a:vsw-a,cn-hangzhou-b:vsw-b";

function read(annotations: Record<string, string>, policy: string, facts: ClusterFacts, type: "clb" | "nlb"): Service {
    const parsed = parseService(
        documentOf({
            apiVersion: "v1",
            kind: "Service",
            metadata: {
                name: "web",
                namespace: "shop",
                annotations: Object.fromEntries(
                    Object.entries(annotations).map(([key, value]) => [
                        key === "backend-type" ? `service.beta.kubernetes.io/${key}` : PREFIX + key,
                        value,
                    ]),
                ),
            },
            spec: {
                type: "LoadBalancer",
                externalTrafficPolicy: policy,
                selector: { app: "web" },
                ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: 8080, nodePort: 30080 }],
            },
        }),
        facts,
        {},
        type,
    );
    return found(parsed.service, JSON.stringify(parsed.diagnostics));
}

const NODES = [
    { ...node("a"), metadata: { name: "a", labels: { zone: "x" } } },
    { ...node("b"), spec: { providerID: "cn-hangzhou.i-b", unschedulable: true } },
    { ...node("c"), metadata: { name: "c", labels: { zone: "x" } } },
];
const VIEW = {
    nodes: NODES,
    endpointSlices: [
        slice(
            ...["1", "2", "3", "4"].map((ip) => endpoint(`10.0.0.${ip}`, ip === "4" ? "c" : "a")),
            endpoint("10.0.0.5", "c", "draining"),
        ),
    ],
};

const CASES: readonly [string, Record<string, string>, string, "clb" | "nlb"][] = [
    ["nodes", {}, "Cluster", "clb"],
    ["nodes with pods", {}, "Local", "clb"],
    ["pods", { "backend-type": "eni" }, "Cluster", "clb"],
    ["labelled nodes", { "backend-label": "zone=x" }, "Cluster", "clb"],
    ["nodes that are not cordoned", { "remove-unscheduled-backend": "on" }, "Cluster", "clb"],
    ["weights that are set once", { "ignore-weight-update": "on" }, "Cluster", "clb"],
    ["pods that terminate", { "backend-type": "eni", "graceful-shutdown": "true" }, "Cluster", "clb"],
    ["a user-managed group with a share", { id: "lb-1", "vgroup-port": "rsp-9:80", weight: "60" }, "Local", "clb"],
    ["an NLB", { "zone-maps": ZONES }, "Local", "nlb"],
    ["addresses of an NLB", { "zone-maps": ZONES, "server-group-type": "Ip", "backend-type": "eni" }, "Local", "nlb"],
    [
        "any port of an NLB",
        { "zone-maps": ZONES, "backend-type": "eni", "listener-port-range": "100-200:80" },
        "Local",
        "nlb",
    ],
];

for (const [what, annotations, policy, type] of CASES) {
    test(`a binding has the members of the run that made it: ${what}`, () => {
        const facts: ClusterFacts = {
            clusterId: "c1",
            vpcCidrs: ["10.0.0.0/8"],
            networkPlugin: "terway",
            createdAt: "2019-01-01",
        };
        const service = read(annotations, policy, facts, type);
        const groups: readonly ServerGroup[] = (type === "clb" ? buildClb(service, facts) : buildNlb(service, facts))
            .serverGroups;
        const group = found(groups[0], "the group");
        const made = specOf(service, group, facts, {
            region: "cn-hangzhou",
            id: group.joined ?? "rsp-1",
            type: group.type ?? "VServer",
            mark: MARK,
            ...(group.kind === "ecs" ? { nodePort: 30080 } : {}),
            allowEmpty: false,
        });
        const again = readSpec(binding(JSON.parse(JSON.stringify(made)) as typeof made));
        expect(again.spec).toStrictEqual(made);
        const model = modelOf(found(again.spec, "the spec"));
        expect(groupBackends(model.service, model.group, model.facts, VIEW).backends).toStrictEqual(
            groupBackends(service, group, facts, VIEW).backends,
        );
    });
}

test("a spec that cannot be read is named field by field", () => {
    const { nodePort: _, ...without } = spec();
    expect(readSpec(binding(without)).problem).toMatch(/spec\.nodePort: nodePort is needed where nodes are backends/);
    const broken = { ...spec(), region: "", ports: [{ port: 99999, protocol: "SCTP", targetPort: 1 }] };
    expect(readSpec({ metadata: { name: "x" }, spec: broken }).problem).toMatch(
        /spec\.region: .*spec\.ports\[0\]\.port: .*protocol/,
    );
    expect(readSpec({ metadata: { name: "x" } }).problem).toMatch(/^spec: /);
    expect(readStatus({ metadata: { name: "x" }, status: { conditions: 7 } })).toStrictEqual({});
    expect(bindingKeyOf(binding(spec()))).toBe("shop/web-tcp-80");
});

test("the definition is structural: one type for each value, and only fields of Kubernetes", () => {
    const problems: string[] = [];
    const walk = (schema: Record<string, unknown>, path: string): void => {
        const intOrString = schema["x-kubernetes-int-or-string"] === true;
        if (typeof schema["type"] !== "string" && !intOrString) problems.push(`${path} has no type`);
        for (const key of ["anyOf", "oneOf", "$ref", "$schema", "$defs", "propertyNames", "const"])
            if (key in schema) problems.push(`${path} has ${key}`);
        if ("properties" in schema && "additionalProperties" in schema)
            problems.push(`${path} has both kinds of properties`);
        for (const [name, inner] of Object.entries(
            (schema["properties"] ?? {}) as Record<string, Record<string, unknown>>,
        ))
            walk(inner, `${path}.${name}`);
        const { items, additionalProperties } = schema as {
            items?: Record<string, unknown>;
            additionalProperties?: Record<string, unknown>;
        };
        if (items) walk(items, `${path}[]`);
        if (additionalProperties) walk(additionalProperties, `${path}.*`);
    };
    const version = found(bindingDefinition().spec.versions[0], "the version");
    walk(version.schema.openAPIV3Schema, "");
    expect(problems).toStrictEqual([]);
    const { spec: schema } = version.schema.openAPIV3Schema.properties;
    expect(Object.keys(schema["properties"] as object).sort()).toStrictEqual(Object.keys(BINDING_SPEC.shape).sort());
    expect(schema["x-kubernetes-validations"]).toHaveLength(3);
});

test("a condition keeps its time of transition while its status stays", () => {
    const finding = { synced: false, reason: "ServiceMissing", cause: "gone", remedy: "apply it" } as const;
    const first = conditionOf(finding, 2, undefined, "2026-01-01T00:00:00Z");
    expect(first).toMatchObject({
        status: "False",
        reason: "ServiceMissing",
        message: "gone. Remedy: apply it.",
        observedGeneration: 2,
    });
    expect(messageOf({ cause: "It is gone.", remedy: "Apply it." })).toBe("It is gone. Remedy: Apply it.");
    expect(conditionOf(finding, 2, first, "2026-01-02T00:00:00Z").lastTransitionTime).toBe("2026-01-01T00:00:00Z");
    const synced = conditionOf({ synced: true, reason: "Synced", cause: "equal" }, 2, first, "2026-01-03T00:00:00Z");
    expect(synced.lastTransitionTime).toBe("2026-01-03T00:00:00Z");
});
