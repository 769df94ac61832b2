import { expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { documentOf } from "./manifests";
import { parseService } from "./service";
import { deserializeService, serializeService } from "./serialize";
import { found } from "../../test/support/found";

const PREFIX = "service.beta.kubernetes.io/";
const facts = { clusterId: "c1", networkPlugin: "terway" as const };

const services = fc.record({
    annotations: fc
        .subarray([
            ["alibaba-cloud-loadbalancer-scheduler", "wrr"],
            ["alicloud-loadbalancer-idle-timeout", "10"],
            ["alibaba-cloud-loadbalancer-protocol-port", "http:80"],
            ["alibaba-cloud-loadbalancer-additional-resource-tags", "a=b,c=d"],
            ["backend-type", "ecs"],
            ["alibaba-cloud-loadbalancer-health-check-interval", "10"],
            ["alibaba-cloud-loadbalancer-health-check-connect-timeout", "5"],
        ])
        .map((list) => Object.fromEntries(list.map(([suffix, value]) => [PREFIX + suffix, value ?? ""]))),
    externalTrafficPolicy: fc.constantFrom("Cluster", "Local"),
    labels: fc.option(fc.constant({ app: "web" }), { nil: undefined }),
    ports: fc.uniqueArray(fc.constantFrom(80, 81, 443), { minLength: 1 }),
    nodePort: fc.option(fc.constant(30080), { nil: undefined }),
    ranges: fc.option(fc.constant(["10.0.0.0/8"]), { nil: undefined }),
});

test("a serialized Service gives the same settings, ports and diagnostics as the Service", () => {
    fc.assert(
        fc.property(services, ({ annotations, externalTrafficPolicy, labels, ports, nodePort, ranges }) => {
            const object = {
                apiVersion: "v1",
                kind: "Service",
                metadata: { namespace: "shop", name: "web", annotations, ...(labels === undefined ? {} : { labels }) },
                spec: {
                    type: "LoadBalancer",
                    externalTrafficPolicy,
                    selector: { app: "web" },
                    ...(ranges === undefined ? {} : { loadBalancerSourceRanges: ranges }),
                    ports: ports.map((port, index) => ({
                        name: `p-${port}`,
                        port,
                        targetPort: "http",
                        ...(index === 0 && nodePort !== undefined ? { nodePort } : {}),
                    })),
                },
            };
            const before = parseService(documentOf(object), facts);
            fc.pre(before.service !== undefined);
            const service = found(before.service, "the Service");
            const after = parseService(documentOf(deserializeService(serializeService(service, facts))), facts);
            const causes = (diagnostics: typeof before.diagnostics) => diagnostics.map(({ cause }) => cause).sort();
            expect(causes(after.diagnostics)).toStrictEqual(causes(before.diagnostics));
            expect(after.service?.settings).toStrictEqual(service.settings);
            const bare = (list: typeof service.ports) => list.map(({ name: _, ...port }) => port);
            expect(bare(after.service?.ports ?? [])).toStrictEqual(bare(service.ports));
            expect(after.service?.externalTrafficPolicy).toBe(service.externalTrafficPolicy);
            expect(after.service?.loadBalancerSourceRanges).toStrictEqual(service.loadBalancerSourceRanges);
        }),
    );
});
