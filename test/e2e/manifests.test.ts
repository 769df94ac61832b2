/**
 * The 47 examples of the documents in one stack. All whole Services are deployed, with the expected state of the cloud.
 * Only a run shows that the documents' examples are accepted as they are, side by side.
 *
 * Requirements: B01, C02, C10, C16, D30, H15, H16, J01, J02, J03, J04, J05, J06, J07, J08, J09, J10, J11, J12, J13,
 * J14, J15, J16, J17, J18, J19, J20, J21, J22, J23, J24, J25, J26, J27, J28, J29, J30, J31, J32, J33, J34, J35, J36,
 * J37, J38, J39, J40, J41, J42, J43, J44, J45, J46, J47.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import type { Session } from "../../lab";
import { forget } from "../support/forget";
import { found } from "../support/found";
import { Stack, startWorld, stateOf } from "../support/world";

const FOLDER = "testdata/manifests";
const FILES = readdirSync(FOLDER).sort();

/** Values for the placeholders in the documents. */
const FILLED_IN: Readonly<Record<string, string>> = {
    "${YOUR_VSWITCH_ID}": "vsw-example",
    "<your-vswitch-id>": "vsw-example",
    "<your-acl-id>": "acl-example",
    "<your-cert-id>": "cert-default",
    "<your-service-hostname>": "www.example.com",
    "<domain-1>:<cert-id-1>": "example.com:cert-one",
    "<domain-2>:<cert-id-2>": "api.example.com:cert-two",
    "rg-xxxx": "rg-example",
    "192.168.x.x": "192.168.77.7",
};

/** An example of a patch: it has neither a type nor ports. */
const FRAGMENT = "45";
const numberOf = (file: string): string => file.slice(0, 2);

/** Most examples have the same name, so each gets a unique name. */
function example(file: string): string {
    let text = readFileSync(`${FOLDER}/${file}`, "utf8");
    for (const [placeholder, value] of Object.entries(FILLED_IN)) {
        text = text.replaceAll(placeholder, value);
    }
    // Two of them use the same port of an existing instance, so each gets a separate instance.
    text = text.replaceAll("<your-clb-instance-id>", `lb-example-${numberOf(file)}`);
    return text.replace(/^( {2}name: ).*$/m, `$1example-${numberOf(file)}`);
}

/** State of an example in the cloud and in the Service. */
interface Made {
    /** Listeners, such as `http:80 to 443` for a redirect, and `https:443 cert` with that certificate. */
    readonly listeners: readonly string[];
    /** `domain=certificate`. */
    readonly domains: readonly string[];
    /** Number of backends of each vServer group. */
    readonly groups: readonly number[];
    /** EXTERNAL-IP in kubectl: `address`, the instance's, or a host name. */
    readonly external: string;
}

/** State of most examples: a TCP listener on all three nodes. */
const PLAIN: Made = { listeners: ["tcp:80"], domains: [], groups: [3], external: "address" };

const TCP_443: Partial<Made> = { listeners: ["tcp:443"] };
const HTTP: Partial<Made> = { listeners: ["http:80"] };
const HTTPS: Partial<Made> = { listeners: ["https:443 cert-default"] };
/** Their pods are not there: only nodes with pods, or pods, would be backends. */
const WITHOUT_PODS: Partial<Made> = { groups: [0] };
const INGRESS: Partial<Made> = { listeners: ["tcp:443", "tcp:80"], groups: [0, 0] };

/** Requirements of the examples by their numbers, where they differ from {@link PLAIN}. */
const EXAMPLES: Readonly<Record<string, Partial<Made>>> = {
    "03": TCP_443,
    "04": TCP_443,
    "05": { listeners: [] },
    "06": TCP_443,
    "08": TCP_443,
    "12": WITHOUT_PODS,
    "13": WITHOUT_PODS,
    "14": WITHOUT_PODS,
    "15": WITHOUT_PODS,
    "17": { ...HTTP, external: "www.example.com" },
    "18": TCP_443,
    "19": TCP_443,
    "20": TCP_443,
    "21": HTTP,
    "22": { listeners: ["http:80 to 443", "https:443 cert-default"], groups: [3, 3] },
    "23": { listeners: ["udp:80"] },
    "24": HTTP,
    "25": HTTPS,
    "26": { ...HTTPS, domains: ["api.example.com=cert-two", "example.com=cert-one"] },
    "27": { listeners: ["http:80", "https:443 cert-default"], groups: [3, 3] },
    "28": { listeners: ["tcp:80", "udp:80"], groups: [3, 3] },
    "29": TCP_443,
    "31": HTTP,
    "32": HTTP,
    "33": HTTP,
    "35": HTTPS,
    "37": { listeners: ["udp:80"] },
    "38": TCP_443,
    "39": HTTP,
    // No node has the label of the example.
    "40": { ...TCP_443, ...WITHOUT_PODS },
    "41": WITHOUT_PODS,
    "42": { listeners: ["tcp:30080"], ...WITHOUT_PODS },
    "43": { listeners: ["tcp:30080"], ...WITHOUT_PODS },
    "44": TCP_443,
    "46": INGRESS,
    "47": INGRESS,
};

/** Returns the state of each example in cluster and cloud, by its number. */
async function observe(): Promise<(number: string) => Made> {
    const { slb } = await stateOf(session);
    const { text } = await session.run("kubectl", ["get", "services", "--all-namespaces", "-o", "json"]);
    const { items } = JSON.parse(text) as {
        items: {
            metadata: { name: string };
            status: { loadBalancer: { ingress?: { ip?: string; hostname?: string }[] } };
        }[];
    };
    return (number) => {
        const name = `example-${number}`;
        const groups = slb.vServerGroups.filter((group) => group.name.includes(`/${name}/`));
        const { address } = slb.loadBalancers.find(({ id }) => id === groups[0]?.loadBalancerId) ?? {};
        const listeners = slb.listeners.filter(({ attributes }) =>
            String(attributes["Description"]).includes(`/${name}/`),
        );
        const [ingress] = items.find(({ metadata }) => metadata.name === name)?.status.loadBalancer.ingress ?? [];
        return {
            listeners: listeners
                .map(({ protocol, port, attributes: { ForwardPort, ServerCertificateId } }) =>
                    [
                        `${protocol}:${port}`,
                        ...(protocol === "https" ? [String(ServerCertificateId)] : []),
                        ...(ForwardPort === undefined ? [] : [`to ${String(ForwardPort)}`]),
                    ].join(" "),
                )
                .sort(),
            domains: slb.domainExtensions
                .filter(({ loadBalancerId }) => loadBalancerId === groups[0]?.loadBalancerId)
                .map(({ domain, certificateId }) => `${domain}=${certificateId}`)
                .sort(),
            groups: groups.map(({ backends }) => backends.length),
            external: ingress?.hostname ?? (ingress?.ip === address ? "address" : String(ingress?.ip)),
        };
    };
}

let session: Session;
let stack: Stack;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    await session.cloud("/_config", { quotas: { loadBalancers: 100 } });
    await session.cloud("/_seed", {
        vSwitches: [{ id: "vsw-example", vpcId: "vpc-lab", zoneId: "cn-hangzhou-b", cidr: "192.168.0.0/16" }],
        certificates: ["cert-default", "cert-one", "cert-two"].map((id) => ({ id })),
        calls: [
            { action: "CreateAccessControlList", params: { AclName: "example" }, id: "acl-example" },
            ...["lb-example-05", "lb-example-06"].map((id) => ({
                action: "CreateLoadBalancer",
                params: { LoadBalancerName: id, AddressType: "internet", InstanceChargeType: "PayByCLCU" },
                id,
            })),
        ],
    });
    stack = await Stack.create(session, "manifests", []);
});

afterAll(async () => {
    await session.lab.stop();
    forget(stack);
});

/** As a chart renders it: keys with nothing behind them, and annotations of others. */
const RENDERED = `apiVersion: v1
kind: Service
metadata:
  name: rendered
  namespace:
  labels:
  annotations:
    prometheus.io/port: "9113"
    service.beta.kubernetes.io/alibaba-cloud-private-zone-enable: "true"
    service.beta.kubernetes.io/volcengine-loadbalancer-subnet-id: subnet-1
spec:
  type: LoadBalancer
  clusterIP:
  loadBalancerIP:
  externalTrafficPolicy:
  selector: { app: shop }
  ports:
    - { name: http, port: 80, protocol: , targetPort: , nodePort: }
---
apiVersion: v1
kind: Service
metadata:
  name: elsewhere
spec:
  type: LoadBalancer
  ports:
    - { port: 80, targetPort: 0, nodePort: 0, protocol: "" }
`;

test("a manifest rendered by a chart and one without a selector are applied under their names", async () => {
    stack.writeText(RENDERED);
    await stack.config("protect", '["default/rendered"]');
    const text = stack.succeed(await stack.up());
    expect(text).toMatch(/Service default\/elsewhere: spec.selector: the Service selects no pods/);
    expect(text).not.toMatch(/config protect names/);
    const { slb } = await stateOf(session);
    expect(slb.vServerGroups.map(({ backends }) => backends.length)).toStrictEqual([3, 3]);
    expect(stack.fail(await stack.destroy())).toMatch(/protected/);
    // They leave with the run of the other examples.
    await stack.config("protect", "[]");
    stack.succeed(await stack.command("state", "unprotect", "--all", "--yes", "--stack", stack.name));
});

const SLICE = `
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: outside-1, namespace: default, labels: { kubernetes.io/service-name: outside } }
addressType: IPv4
ports: [{ name: a, port: 8080, protocol: TCP }]
endpoints: [{ addresses: [10.1.0.50], conditions: { ready: true, serving: true } }]
`;

const OUTSIDE = `
apiVersion: v1
kind: Service
metadata:
  name: outside
  annotations:
    service.beta.kubernetes.io/alibaba-cloud-loadbalancer-zone-maps: "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b"
    service.beta.kubernetes.io/alibaba-cloud-loadbalancer-server-group-type: Ip
    service.beta.kubernetes.io/backend-type: eni
spec:
  type: LoadBalancer
  loadBalancerClass: alibabacloud.com/nlb
  ports: [{ name: a, port: 80, targetPort: 8080 }]
`;

test("a Service without a selector serves what is in its EndpointSlices, from the first run on", async () => {
    const outside = await Stack.create(session, "outside", []);
    const file = path.join(session.lab.dir, "slice.yaml");
    writeFileSync(file, SLICE);
    await session.run("kubectl", ["apply", "-f", file]);
    await outside.config("networkPlugin", "terway");
    outside.writeText(OUTSIDE);
    const text = outside.succeed(await outside.run("up", ["--yes", "--diff"]));
    expect(text.split("Resources:")[0]).toMatch(/10\.1\.0\.50:8080/);
    expect(text).not.toMatch(/selector finds/);
    const { nlb } = await stateOf(session);
    expect(nlb.serverGroups.map(({ servers }) => servers.length)).toStrictEqual([1]);
    await outside.remove();
    await session.run("kubectl", ["delete", "endpointslice", "outside-1"]);
});

test("the example that is not a complete Service is refused with the reason", async () => {
    const file = found(
        FILES.find((name) => numberOf(name) === FRAGMENT),
        "file",
    );
    stack.writeText(example(file));
    expect(stack.fail(await stack.preview())).toMatch(/error\[service-port\].*the Service has no ports/);
});

test("all other examples are deployed as documented, and a refresh finds no changes", async () => {
    const files = FILES.filter((file) => numberOf(file) !== FRAGMENT);
    expect(files).toHaveLength(46);
    stack.writeText(files.map(example).join("\n---\n"));
    stack.succeed(await stack.up());
    const { slb } = await stateOf(session);
    expect(slb.loadBalancers).toHaveLength(46);
    expect(slb.listeners.every(({ status }) => status === "running")).toBeTruthy();
    const made = await observe();
    const of = (describe: (number: string) => Made) =>
        Object.fromEntries(files.map((file) => [numberOf(file), describe(numberOf(file))]));
    expect(of(made)).toStrictEqual(of((number) => ({ ...PLAIN, ...EXAMPLES[number] })));
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
});
