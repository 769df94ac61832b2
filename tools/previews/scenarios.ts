import type { ServiceSpec } from "../../test/support/world";

/** A change of a stack: what is there, and what the preview is asked about. */
export interface Scenario {
    /** Name of the file. */
    readonly name: string;
    readonly before: readonly ServiceSpec[];
    readonly after: readonly ServiceSpec[];
    /** Pods of the Deployment at the time of the preview. Default 4, as before. */
    readonly replicas?: number;
    /** Configuration of the stack for the preview. */
    readonly config?: Readonly<Record<string, string>>;
}

const LOCAL: ServiceSpec = {
    name: "shop-local",
    policy: "Local",
    annotations: { "address-type": "internet", scheduler: "wrr" },
    ports: [{ port: 8443 }],
};

const WEB: ServiceSpec = {
    name: "shop-web",
    annotations: {
        "protocol-port": "http:80",
        "health-check-flag": "on",
        "health-check-type": "http",
        "health-check-uri": "/healthz",
    },
};

const TLS: ServiceSpec = {
    name: "tls",
    annotations: { "protocol-port": "https:443", "cert-id": "cert-one" },
    ports: [{ port: 443 }],
};

const REUSED: ServiceSpec = {
    name: "tenant",
    annotations: { id: "lb-users", "force-override-listeners": "true" },
    ports: [{ port: 8081 }],
};

const NETWORK: ServiceSpec = {
    name: "edge",
    loadBalancerClass: "alibabacloud.com/nlb",
    annotations: { "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b" },
};

const annotated = (service: ServiceSpec, annotations: Readonly<Record<string, string>>): ServiceSpec => ({
    ...service,
    annotations: { ...service.annotations, ...annotations },
});

export const SCENARIOS: readonly Scenario[] = [
    { name: "quickstart", before: [], after: [LOCAL, WEB] },
    { name: "nothing", before: [LOCAL, WEB], after: [LOCAL, WEB] },
    { name: "local-scale", before: [LOCAL, WEB], after: [LOCAL, WEB], replicas: 6 },
    { name: "certificate", before: [TLS], after: [annotated(TLS, { "cert-id": "cert-two" })] },
    { name: "protocol", before: [LOCAL], after: [annotated(LOCAL, { "protocol-port": "http:8443" })] },
    { name: "rename", before: [LOCAL], after: [{ ...LOCAL, name: "storefront" }] },
    {
        name: "address-type",
        before: [LOCAL],
        after: [annotated(LOCAL, { "address-type": "intranet", "vswitch-id": "vsw-lab-a" })],
        config: { allowReplacement: '{"default/shop-local": ["addressType", "vswitchId"]}' },
    },
    { name: "deletion", before: [LOCAL, WEB], after: [WEB] },
    { name: "preserved", before: [annotated(LOCAL, { "preserve-lb-on-delete": "true" })], after: [] },
    { name: "reuse", before: [], after: [REUSED] },
    { name: "reuse-deletion", before: [REUSED], after: [] },
    {
        name: "nlb-zone",
        before: [NETWORK],
        after: [annotated(NETWORK, { "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-c:vsw-lab-c" })],
    },
    { name: "nlb", before: [], after: [NETWORK] },
];
