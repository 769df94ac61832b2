/** Requirements: B25, B35, H24. */
import { expect, test } from "@jest/globals";
import type { ServiceObject } from "../../provider/service/objects";
import { liveService, OBJECT } from "../../test/support/inspect";
import { describeService, describeServices, serviceRowOf } from "./main";

const annotated = (annotations: Record<string, string>, spec: object = {}): ServiceObject => ({
    ...OBJECT,
    metadata: { ...OBJECT.metadata, annotations },
    spec: { ...OBJECT.spec, ...spec },
});

const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";

const lines = (object: ServiceObject, title: string) =>
    describeService(liveService({ object })).page.sections.find((section) => section.title === title)?.lines;

test("a load balancer that outlives its Service is named, whatever the text says", () => {
    const preserved = /PreservedOnDelete: it stays when the Service is deleted/;
    for (const value of ["true", "false"])
        expect(lines(annotated({ [`${PREFIX}preserve-lb-on-delete`]: value }), "Load balancer")).toContainEqual(
            expect.stringMatching(preserved),
        );
    expect(lines(OBJECT, "Load balancer")).not.toContainEqual(expect.stringMatching(preserved));
    const reused = { [`${PREFIX}preserve-lb-on-delete`]: "true", [`${PREFIX}id`]: "lb-1" };
    expect(lines(annotated(reused), "Load balancer")).not.toContainEqual(expect.stringMatching(preserved));
});

test("node ports that nodes use for their own connections are named", () => {
    const ports = [{ name: "main", port: 80, protocol: "TCP", targetPort: 8080, nodePort: 60999 }];
    expect(lines(annotated({}, { ports }), "Node ports")).toStrictEqual([
        "node port 60999 of port 80 is in the nodes' local port range 32768-60999",
        expect.stringMatching(/^remedy: set spec\.ports\.nodePort to an unused port/),
    ]);
    expect(lines(OBJECT, "Node ports")).toBeUndefined();
});

test("the table of all namespaces has kind and address type, which another controller decides", () => {
    const inner = annotated({ [`${PREFIX}address-type`]: "intranet" });
    const { sections } = describeServices(
        [
            { ...inner, metadata: { ...inner.metadata, name: "inner" } },
            OBJECT,
            {
                ...annotated({}, { loadBalancerClass: "metallb.io/metallb" }),
                metadata: { name: "metal", namespace: "shop" },
            },
        ].map(serviceRowOf),
    );
    const { columns = [], rows = [] } = sections[0]?.table ?? {};
    const [kind, type] = [columns.indexOf("kind"), columns.indexOf("type")];
    expect(rows.map((row) => [row[0], row[kind], row[type]])).toStrictEqual([
        ["shop/inner", "CLB", "intranet"],
        ["shop/metal", "-", "-"],
        ["shop/web", "CLB", "internet"],
    ]);
});

test("the page names who manages what", () => {
    const object = annotated({ "ack-loadbalancer.io/stack": "shop/prod" });
    const live = liveService({ object });
    if (live.cloud.kind !== "found") throw new Error("the cloud was seen");
    const { instance } = live.cloud;
    const listeners = [
        ...instance.listeners,
        { protocol: "tcp", port: 8080, description: "k8s/8080/other/shop/c1" } as const,
        { protocol: "tcp", port: 9000, description: "by hand" } as const,
    ];
    const { page } = describeService({ ...live, cloud: { ...live.cloud, instance: { ...instance, listeners } } });
    expect(page.sections.find(({ title }) => title === "Who manages what")?.table?.rows).toStrictEqual([
        ["load balancer lb-1", "stack shop/prod"],
        ["listener tcp:80", "stack shop/prod"],
        ["listener tcp:8080", "another Service (k8s/8080/other/shop/c1)"],
        ["listener tcp:9000", "user"],
        ["server group rsp-1", "stack shop/prod"],
    ]);
});
