/** Requirements: B35. */
import { expect, test } from "@jest/globals";
import { ClusterError } from "../../provider/cluster";
import { type ServiceObject } from "../../provider/service/objects";
import { runList } from "./main";

const service = (name: string, spec: object, metadata: object = {}, ip?: string): ServiceObject => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { namespace: "shop", name, ...metadata },
    spec: { type: "LoadBalancer", ...spec },
    status: { loadBalancer: ip === undefined ? {} : { ingress: [{ ip }] } },
});

const annotated = (annotations: Record<string, string>) => ({ annotations });

const SERVICES = [
    service(
        "web",
        { loadBalancerClass: "ack-loadbalancer.io/clb" },
        annotated({ "ack-loadbalancer.io/stack": "lb/prod" }),
        "203.0.113.7",
    ),
    service(
        "api",
        { loadBalancerClass: "ack-loadbalancer.io/nlb" },
        annotated({
            "ack-loadbalancer.io/stack": "lb/dev",
            "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type": "intranet",
        }),
    ),
    service(
        "followed",
        {},
        annotated({
            "service.beta.kubernetes.io/class": "ack-loadbalancer.io/clb",
            "service.beta.kubernetes.io/alicloud-loadbalancer-address-type": "intranet",
        }),
        "203.0.113.8",
    ),
    service("old", {}, { finalizers: ["service.k8s.alibaba/resources"] }, "203.0.113.9"),
    service("old-nlb", { loadBalancerClass: "alibabacloud.com/nlb" }, { finalizers: ["service.k8s.alibaba/nlb"] }),
    service("metal", { loadBalancerClass: "metallb.io/metallb" }),
    service("new", {}),
    service("inner", { type: "ClusterIP" }),
];

/** Runs the command on a cluster with these Services. */
async function list(argv: readonly string[], services: () => Promise<ServiceObject[]> = async () => SERVICES) {
    const text = { out: "", error: "" };
    const asked: unknown[] = [];
    const code = await runList(
        argv,
        { out: (part) => void (text.out += part), error: (part) => void (text.error += part) },
        (options) => {
            asked.push(options);
            return {
                listServices: (namespace) => {
                    asked.push(namespace);
                    return services();
                },
            };
        },
    );
    return { code, ...text, asked };
}

test("every Service of type LoadBalancer is listed, with kind, address and who manages it", async () => {
    const { code, out } = await list(["--stack", "lb/prod"]);
    expect(code).toBe(0);
    expect(out.split("\n").map((line) => line.split(/ {2,}/))).toStrictEqual([
        ["NAMESPACE", "NAME", "KIND", "TYPE", "ADDRESS", "MANAGED BY"],
        ["shop", "api", "NLB", "intranet", "-", "stack lb/dev"],
        ["shop", "followed", "CLB", "intranet", "203.0.113.8", "a program that follows it"],
        ["shop", "metal", "-", "-", "-", "another controller (metallb.io/metallb)"],
        ["shop", "new", "CLB", "internet", "-", "nobody"],
        ["shop", "old", "CLB", "internet", "203.0.113.9", "Cloud Controller Manager"],
        ["shop", "old-nlb", "NLB", "internet", "-", "Cloud Controller Manager"],
        ["shop", "web", "CLB", "internet", "203.0.113.7", "this stack (lb/prod)"],
        ["7 Services of type LoadBalancer: 4 CLB, 2 NLB"],
        [""],
    ]);
});

test("JSON has the same", async () => {
    const { out } = await list(["--format", "json", "--stack", "lb/prod"]);
    const { version, services } = JSON.parse(out) as { version: number; services: object[] };
    expect([version, services.length]).toStrictEqual([1, 7]);
    expect(services[0]).toStrictEqual({
        namespace: "shop",
        name: "api",
        loadBalancerType: "nlb",
        addressType: "intranet",
        addresses: [],
        manager: { kind: "stack", stack: "lb/dev", own: false },
    });
});

test("the cluster and the namespace are those of the command line", async () => {
    const { asked } = await list(["--kubeconfig", "/k", "--context", "c", "--namespace", "shop"]);
    expect(asked).toStrictEqual([{ kubeconfig: "/k", context: "c" }, "shop"]);
    expect((await list([])).asked).toStrictEqual([{}, undefined]);
});

test("a cluster that cannot be read, and an invalid command line, end with 2", async () => {
    const failing = await list([], () =>
        Promise.reject(new ClusterError({ kind: "forbidden", action: "list services", detail: "not allowed" })),
    );
    expect([failing.code, failing.out]).toStrictEqual([2, ""]);
    expect(failing.error).toMatch(/list services/);
    for (const argv of [["--nonsense"], ["positional"], ["--stack", "prod"]]) {
        const { code, error } = await list(argv);
        expect([code, /^error: [^]*usage: ack-loadbalancer list/.test(error)]).toStrictEqual([2, true]);
    }
    expect((await list(["--help"])).out).toMatch(/^usage: ack-loadbalancer list/);
});

test("an empty cluster is no error", async () => {
    expect((await list([], async () => [])).out).toBe("0 Services of type LoadBalancer: 0 CLB, 0 NLB\n");
});

test.each(['{"addressType":{"a":1}}', '{"addressType":null}', '{"addressType":7}', "[1]", "{"])(
    "a record of settings that is not ours, %s, is passed over",
    async (settings) => {
        const odd = service("odd", {}, annotated({ "ack-loadbalancer.io/settings": settings }));
        const { code, out } = await list([], async () => [odd]);
        expect([code, out]).toStrictEqual([0, expect.stringMatching(/shop +odd +CLB +internet/)]);
    },
);
