const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";

/** A Service for a folder of manifests. */
export interface ServiceSpec {
    readonly name: string;
    readonly policy?: "Cluster" | "Local";
    /** Annotations by suffix. A key with a slash is taken whole. */
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ports?: readonly {
        readonly port: number;
        readonly protocol?: string;
        readonly targetPort?: number | string;
    }[];
    readonly selector?: string;
    readonly type?: string;
    readonly sourceRanges?: readonly string[];
    /** Value of `spec.loadBalancerClass`. Default none. */
    readonly loadBalancerClass?: string;
}

/** A Service of type LoadBalancer as YAML. */
export function serviceYaml(spec: ServiceSpec): string {
    const annotations = Object.entries(spec.annotations ?? {}).map(
        ([key, value]) => `    ${key.includes("/") ? key : PREFIX + key}: ${JSON.stringify(value)}\n`,
    );
    const ports = (spec.ports ?? [{ port: 80 }]).map(
        ({ port, protocol = "TCP", targetPort = 8080 }) =>
            `    - name: ${protocol.toLowerCase()}-${port}\n` +
            `      port: ${port}\n` +
            `      protocol: ${protocol}\n` +
            `      targetPort: ${targetPort}\n`,
    );
    const policy = spec.type === "ClusterIP" ? "" : `  externalTrafficPolicy: ${spec.policy ?? "Cluster"}\n`;
    const loadBalancerClass =
        spec.loadBalancerClass === undefined ? "" : `  loadBalancerClass: ${spec.loadBalancerClass}\n`;
    const ranges =
        spec.sourceRanges === undefined ? "" : `  loadBalancerSourceRanges: ${JSON.stringify(spec.sourceRanges)}\n`;
    return (
        `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${spec.name}\n  namespace: default\n` +
        `${annotations.length > 0 ? `  annotations:\n${annotations.join("")}` : ""}` +
        `spec:\n  type: ${spec.type ?? "LoadBalancer"}\n${policy}` +
        `  selector:\n    app: ${spec.selector ?? "shop"}\n` +
        `${loadBalancerClass}${ranges}  ports:\n${ports.join("")}`
    );
}

/** A Deployment whose pods the Services of the tests select. */
export function deploymentYaml(name: string, replicas: number): string {
    return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: default
spec:
  replicas: ${replicas}
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      automountServiceAccountToken: false
      containers:
        - name: app
          image: app:1
`;
}

/** Returns a Deployment whose pods are on one node. Services that select `shop` have them. */
export const placedDeploymentYaml = (name: string, replicas: number, nodeName: string): string =>
    JSON.stringify({
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name, namespace: "default" },
        spec: {
            replicas,
            selector: { matchLabels: { part: name } },
            template: {
                metadata: { labels: { app: "shop", part: name } },
                spec: { nodeName, automountServiceAccountToken: false, containers: [{ name: "app", image: "app:1" }] },
            },
        },
    });
