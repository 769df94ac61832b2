import { expect, test } from "@jest/globals";
import {
    V1ClientIPConfig,
    V1ObjectMeta,
    V1Service,
    V1ServicePort,
    V1ServiceSpec,
    V1SessionAffinityConfig,
} from "@kubernetes/client-node";
import { formatDiagnostics, isError } from "../diagnostics";
import { documentOf, readManifests } from "./manifests";
import { SERVICE_FIELDS } from "./fields";
import { parseService } from "./service";

const facts = { clusterId: "c1" };

/** Returns the problems of a manifest, as a person reads them. */
const problemsOf = (text: string): string => {
    const { services, diagnostics } = readManifests(text, "web.yaml");
    return formatDiagnostics([
        ...diagnostics,
        ...services.flatMap((one) => parseService(one, facts).diagnostics.filter(isError)),
    ]);
};

const MISTYPED = `apiVersion: v1
kind: Service
metadata:
  name: web
  lables: {app: web}
spec:
  type: LoadBalancer
  externalTrafficPolcy: Local
  loadBalancerSourceRangs: [10.0.0.0/8]
  selector: {app: web}
  sessionAffinityConfig: {clientIP: {timeout: 5}}
  ports:
    - {port: 80, targtPort: 8080}
    - {name: b, port: 81, wholly-other: 1}
annotatons: {}
`;

test("a mistyped field of a manifest is refused with file, line and nearest name", () => {
    const text = problemsOf(MISTYPED);
    for (const line of [
        "web.yaml:5:3: error[service-field]: Service default/web: metadata.lables: Kubernetes has no " +
            'such field: it would have no effect\n    remedy: did you mean "labels"?',
        "web.yaml:8:3: error[service-field]: Service default/web: spec.externalTrafficPolcy: " +
            "Kubernetes has no such field: it would have no effect\n    remedy: did you mean " +
            '"externalTrafficPolicy"?',
        "web.yaml:9:3: error[service-field]: Service default/web: spec.loadBalancerSourceRangs: " +
            "Kubernetes has no such field: it would have no effect\n    remedy: did you mean " +
            '"loadBalancerSourceRanges"?',
        "web.yaml:11:38: error[service-field]: Service default/web: " +
            "spec.sessionAffinityConfig.clientIP.timeout: Kubernetes has no such field",
        "web.yaml:13:18: error[service-field]: Service default/web: spec.ports[0].targtPort: " +
            "Kubernetes has no such field: it would have no effect\n    remedy: did you mean " +
            '"targetPort"?',
        'web.yaml:14:27: error[service-field]: Service default/web: spec.ports[1]["wholly-other"]: ' +
            "Kubernetes has no such field: it would have no effect\n    remedy: remove it; " +
            "kubectl explain service lists the fields",
        "web.yaml:15:1: error[service-field]: Service default/web: annotatons: Kubernetes has no such field",
    ])
        expect(text).toContain(line);
});

test("a mistyped field is refused in Services of every type", () => {
    expect(
        problemsOf("{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {tpye: LoadBalancer, ports: []}}"),
    ).toContain('spec.tpye: Kubernetes has no such field: it would have no effect\n    remedy: did you mean "type"?');
});

test("what the API server has given may have fields of a later version", () => {
    const object = {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "web", ofTomorrow: 1 },
        spec: { type: "LoadBalancer", selector: { app: "web" }, ports: [{ port: 80, ofTomorrow: 1 }], ofTomorrow: 1 },
    };
    expect(parseService(documentOf(object, { observed: true }), facts).diagnostics).toStrictEqual([]);
    expect(parseService(documentOf(object), facts).diagnostics.map(({ place }) => place.path)).toStrictEqual([
        ["metadata", "ofTomorrow"],
        ["spec", "ports", 0, "ofTomorrow"],
        ["spec", "ofTomorrow"],
    ]);
});

test("every field of the newest Kubernetes client is known", () => {
    const namesOf = (model: { getAttributeTypeMap(): { baseName: string }[] }) =>
        model.getAttributeTypeMap().map(({ baseName }) => baseName);
    const { metadata, spec } = SERVICE_FIELDS;
    for (const [model, known] of [
        [V1Service, SERVICE_FIELDS],
        [V1ObjectMeta, metadata],
        [V1ServiceSpec, spec],
        [V1ServicePort, spec.ports],
        [V1SessionAffinityConfig, spec.sessionAffinityConfig],
        [V1ClientIPConfig, spec.sessionAffinityConfig.clientIP],
    ] as const)
        expect(Object.keys(known)).toStrictEqual(namesOf(model).sort());
});
