/** Requirements: B05. */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "../../test/support/finished";
import { ClusterError } from "./error";
import {
    contradictions,
    discoverCluster,
    interpret,
    withDiscovered,
    type ClusterObjects,
    type Discovery,
} from "./discovery";

const PROFILE = {
    clusterid: "c82e",
    uid: "1234567890123456",
    vpcid: "vpc-1",
    "vsw-zone": "vsw-a:cn-beijing-l, vsw-b:cn-beijing-k,",
    serviceCIDR: "172.16.0.0/16",
    ipStack: "ipv4",
};

const NOTHING: ClusterObjects = { configMaps: {}, daemonSets: [] };
const profile = (data: Record<string, string>): ClusterObjects => ({
    ...NOTHING,
    configMaps: { "ack-cluster-profile": data },
});
const proxy = (config: string): ClusterObjects => ({
    ...NOTHING,
    configMaps: { "kube-proxy-worker": { "config.conf": config } },
});

const OBJECTS: readonly [what: string, ClusterObjects, Discovery][] = [
    ["a cluster that is none of ACK says nothing", { ...NOTHING, daemonSets: ["calico-node"] }, {}],
    [
        "a cluster of ACK",
        {
            configMaps: {
                "ack-cluster-profile": PROFILE,
                "kube-proxy-worker": {
                    "config.conf": "kind: KubeProxyConfiguration\nmode: ipvs\nclusterCIDR: 10.0.0.0/8\n",
                },
            },
            daemonSets: ["terway-eniip", "node-exporter"],
            kubernetesVersion: "v1.34.1-aliyun.1",
            providerId: "cn-beijing.i-1",
        },
        {
            clusterId: "c82e",
            accountId: "1234567890123456",
            region: "cn-beijing",
            vpcId: "vpc-1",
            vswitches: ["vsw-a", "vsw-b"],
            networkPlugin: "terway",
            kubeProxyMode: "ipvs",
            serviceCidr: "172.16.0.0/16",
            ipStack: "ipv4",
            kubernetesVersion: "v1.34.1-aliyun.1",
        },
    ],
    [
        "an older profile lists vSwitches without zones",
        profile({ vswitch: "vsw-a, vsw-b" }),
        { vswitches: ["vsw-a", "vsw-b"] },
    ],
    [
        "an older cluster has its VPC elsewhere",
        { ...NOTHING, configMaps: { "acs-profile": { vpcId: "vpc-2" } } },
        { vpcId: "vpc-2" },
    ],
    ["empty values are none", profile({ clusterid: " ", "vsw-zone": " , :x, vsw-a:, a:b:c" }), {}],
    [
        "zones of two regions tell none",
        profile({ "vsw-zone": "vsw-a:cn-beijing-l,vsw-b:cn-hangzhou-k" }),
        { vswitches: ["vsw-a", "vsw-b"] },
    ],
    ["a node tells the region", { ...NOTHING, providerId: "alicloud://cn-hangzhou.i-1" }, { region: "cn-hangzhou" }],
    ["a node of another cloud does not", { ...NOTHING, providerId: "aws:///eu-west-1a/i-1" }, {}],
    ["Flannel", { ...NOTHING, daemonSets: ["kube-flannel-ds"] }, { networkPlugin: "flannel" }],
    ["two network plugins tell none", { ...NOTHING, daemonSets: ["kube-flannel-ds", "terway-eniip"] }, {}],
    [
        "the configuration of Terway tells that it is there, and the range of Services",
        {
            ...NOTHING,
            configMaps: { "eni-config": { eni_conf: '{"service_cidr": "172.21.0.0/20", "ip_stack": "dual"}' } },
        },
        { networkPlugin: "terway", serviceCidr: "172.21.0.0/20", ipStack: "dual" },
    ],
    [
        "kube-proxy without a mode runs with iptables",
        proxy("kind: KubeProxyConfiguration\n"),
        { kubeProxyMode: "iptables" },
    ],
    ["a mode that is not known tells nothing", proxy("mode: nftables\n"), {}],
    ["a configuration that is no YAML tells nothing", proxy("mode: [\n\t"), {}],
];

for (const [what, objects, expected] of OBJECTS)
    test(`discovery: ${what}`, () => expect(interpret(objects)).toStrictEqual(expected));

test("discovery: whatever the objects hold, nothing is thrown, and no value is empty", () => {
    const data = fc.dictionary(
        fc.constantFrom(...Object.keys(PROFILE), "vswitch", "vpcId", "config.conf", "eni_conf"),
        fc.string(),
    );
    const configMaps = fc.dictionary(
        fc.constantFrom("ack-cluster-profile", "acs-profile", "kube-proxy-worker", "eni-config"),
        data,
    );
    fc.assert(
        fc.property(configMaps, fc.array(fc.string()), fc.string(), (maps, daemonSets, providerId) => {
            const found = Object.values(interpret({ configMaps: maps, daemonSets, providerId }));
            return found.every((value) => value !== undefined && value.length > 0);
        }),
    );
});

test.each([
    ["cn-beijing-l", "cn-beijing"],
    ["cn-zhangjiakou-a", "cn-zhangjiakou"],
    ["ap-southeast-1a", "ap-southeast-1"],
    ["us-west-1b", "us-west-1"],
    ["me-east-1a", "me-east-1"],
    ["cn-shanghai-finance-1b", "cn-shanghai-finance-1"],
    ["cn-north-2-gov-1c", "cn-north-2-gov-1"],
    ["cn-beijing", undefined],
    ["ap-southeast-1", undefined],
    ["a", undefined],
    ["-", undefined],
    ["cn-beijing-", undefined],
])("discovery: the zone %s is of region %s", (zone, region) =>
    expect(interpret(profile({ "vsw-zone": `vsw-a:${zone}` })).region).toBe(region),
);

const FOUND = interpret(profile(PROFILE));

test("what is configured counts; the cluster says the rest", () => {
    expect(withDiscovered({ vswitches: ["vsw-own"], compatibility: "v2.10.0" }, FOUND)).toStrictEqual({
        clusterId: "c82e",
        vpcId: "vpc-1",
        vswitches: ["vsw-own"],
        compatibility: "v2.10.0",
    });
    expect(withDiscovered({ clusterId: "c1" }, {})).toStrictEqual({ clusterId: "c1" });
});

test("every contradiction is an error, with what to do; what either side leaves open is none", () => {
    const wrong = contradictions(
        {
            clusterId: "c1",
            vpcId: "vpc-2",
            vswitches: ["vsw-own"],
            networkPlugin: "flannel",
            kubernetesVersion: "v1.30.1",
        },
        { ...FOUND, networkPlugin: "terway", kubernetesVersion: "v1.34.1" },
        { accountId: "999", region: "cn-hangzhou" },
    );
    expect(
        wrong.map(({ severity, place }) => `${severity} ${place.subject} ${place.path?.join(".") ?? ""}`),
    ).toStrictEqual([
        "error cluster facts clusterId",
        "error cluster facts vpcId",
        "error cluster facts networkPlugin",
        "error cluster facts kubernetesVersion",
        "error account ",
        "error region ",
    ]);
    expect(wrong[0]?.cause).toBe('"c1" is configured, but the cluster says that it is "c82e"');
    expect(wrong.every(({ remedy }) => (remedy ?? "") !== "")).toBe(true);
    expect(contradictions({ clusterId: "c1" }, {}, { accountId: "1", region: "r" })).toStrictEqual([]);
    expect(
        contradictions(
            { clusterId: "c82e", networkPlugin: "terway-edge", kubernetesVersion: "1.34" },
            { ...FOUND, networkPlugin: "terway", kubernetesVersion: "v1.34.1-aliyun.1" },
            { accountId: PROFILE.uid, region: "cn-beijing" },
        ),
    ).toStrictEqual([]);
});

/** An API server that knows these paths, and refuses or lacks all others. */
async function discover(answers: Readonly<Record<string, object>>, otherwise: number) {
    const asked: string[] = [];
    const server = http.createServer((request, response) => {
        const path = new URL(request.url ?? "/", "http://api").pathname;
        asked.push(path);
        const body = answers[path];
        response
            .writeHead(body === undefined ? otherwise : 200, { "content-type": "application/json" })
            .end(JSON.stringify(body ?? { kind: "Status", message: "no" }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
        server.closeAllConnections();
        server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const kubeconfig = `apiVersion: v1
kind: Config
current-context: test
clusters: [{ name: c, cluster: { server: "${url}" } }]
users: [{ name: u, user: { token: t } }]
contexts: [{ name: test, context: { cluster: c, user: u } }]
`;
    // A request that the refusal of another leaves behind is not repeated after the test.
    const options = { kubeconfig, backoff: { attempts: 1 } };
    const found = await discoverCluster(options).catch((error: unknown) => error);
    return { found, asked };
}

const VERSION = { "/version": { gitVersion: "v1.34.1", major: "1", minor: "34" } };

test("the objects of the cluster are read with few requests", async () => {
    const { found, asked } = await discover(
        {
            ...VERSION,
            "/api/v1/namespaces/kube-system/configmaps/ack-cluster-profile": {
                metadata: { name: "ack-cluster-profile" },
                data: PROFILE,
            },
            "/apis/apps/v1/namespaces/kube-system/daemonsets": { items: [{ metadata: { name: "terway-eniip" } }] },
            "/api/v1/nodes": { items: [{ metadata: { name: "n" }, spec: { providerID: "cn-beijing.i-1" } }] },
        },
        404,
    );
    expect(found).toStrictEqual({ ...FOUND, networkPlugin: "terway", kubernetesVersion: "v1.34.1" });
    expect(asked).toHaveLength(7);
});

test("forbidden objects count as missing; a cluster that forbids everything is an error", async () => {
    expect((await discover(VERSION, 403)).found).toStrictEqual({ kubernetesVersion: "v1.34.1" });
    expect((await discover({}, 401)).found).toBeInstanceOf(ClusterError);
});
