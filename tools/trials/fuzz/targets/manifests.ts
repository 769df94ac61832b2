/** Manifests: texts and objects as they come from a folder, up to the model that is built from them. */
import * as fs from "node:fs";
import * as path from "node:path";
import * as fc from "fast-check";
import { parse } from "yaml";
import { keyOfSetting, PREFIX, settingNames } from "../../../../provider/service/annotations";
import { buildClb, buildNlb } from "../../../../provider/plan/desired";
import { formatDiagnostics, isError } from "../../../../provider/diagnostics";
import { documentOf, readManifests, type ServiceDocument } from "../../../../provider/service/manifests";
import { parseService } from "../../../../provider/service/service";
import { target } from "../target";
import { damaged, damagedText, oddText, oddValue } from "../values";

const FOLDER = path.join(path.dirname(require.resolve("ack-loadbalancer/package.json")), "testdata/manifests");

const EXAMPLES = fs
    .readdirSync(FOLDER)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => fs.readFileSync(path.join(FOLDER, file), "utf8"));

const SERVICE = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", namespace: "shop", annotations: {}, labels: { app: "web" }, finalizers: [] },
    spec: {
        type: "LoadBalancer",
        externalTrafficPolicy: "Local",
        loadBalancerSourceRanges: [],
        selector: { app: "web" },
        ports: [
            { name: "http", port: 80, targetPort: 8080, protocol: "TCP" },
            { name: "dns", port: 53, targetPort: "dns", protocol: "UDP", nodePort: 30053 },
        ],
    },
};

const FACTS = { clusterId: "c-fuzz", vpcId: "vpc-1", vswitches: ["vsw-1"] };

/** As the stack does: what has no error is built. All that is wrong is said at once, and nothing is an exception. */
function build(document: ServiceDocument): void {
    const { service, diagnostics } = parseService(document, FACTS);
    formatDiagnostics(diagnostics);
    if (service === undefined || diagnostics.some(isError)) return;
    if (service.loadBalancerType === "nlb") buildNlb(service, FACTS);
    else buildClb(service, FACTS);
}

export const MANIFESTS = [
    target({
        name: "manifest texts",
        good: EXAMPLES[0] ?? "",
        inputs: fc.constantFrom(...EXAMPLES).chain(damagedText),
        take: (text) => {
            const { services, diagnostics } = readManifests(text, "fuzz.yaml");
            formatDiagnostics(diagnostics);
            services.forEach(build);
        },
    }),
    target({
        name: "Service objects",
        good: SERVICE,
        inputs: fc.oneof(damaged(SERVICE), ...EXAMPLES.slice(0, 8).map((text) => damaged(firstOf(text)))),
        take: (object) => build(documentOf(object)),
    }),
    target({
        name: "annotations",
        good: { annotations: {}, loadBalancerClass: undefined },
        inputs: fc.record({
            loadBalancerClass: fc.option(fc.constant("alibabacloud.com/nlb"), { nil: undefined }),
            annotations: fc.dictionary(
                fc.oneof(
                    { weight: 6, arbitrary: fc.constantFrom(...settingNames.map((name) => keyOfSetting(name))) },
                    oddText.map((text) => PREFIX + text),
                ),
                fc.oneof({ weight: 6, arbitrary: oddText }, oddValue),
                { maxKeys: 6 },
            ),
        }),
        take: ({ annotations, loadBalancerClass }) =>
            build(
                documentOf({
                    ...SERVICE,
                    metadata: { ...SERVICE.metadata, annotations },
                    spec: { ...SERVICE.spec, ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }) },
                }),
            ),
    }),
];

function firstOf(text: string): unknown {
    return parse(text.split(/^---$/m)[0] ?? "") as unknown;
}
