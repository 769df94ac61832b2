import { expect, test } from "@jest/globals";
import { refusal, scriptedCloud, VirtualClock } from "../../test/support/cloud-client";
import { clbListener, clbLoadBalancer, clbServerGroup, domainExtension, ensureStarted, ensureTagged } from "./sweep";

const NAME = "k8s/30080/web/shop/c1";

const MEMBER = { ServerId: "i-1", Port: 30080, Weight: 100, Type: "ecs" };

/**
 * Makes an instance with two groups of the same name, of which deleting the first is answered as given.
 *
 * @param members of the second group
 */
function instance(first: ReturnType<typeof refusal>, members: readonly object[] = []) {
    return scriptedCloud((asked) => {
        if (asked.action === "DescribeVServerGroups") {
            const groups = [
                { VServerGroupId: "rsp-1", VServerGroupName: NAME },
                { VServerGroupId: "rsp-2", VServerGroupName: NAME },
                { VServerGroupId: "rsp-3", VServerGroupName: "other" },
            ];
            return { body: { VServerGroups: { VServerGroup: groups } } };
        }
        const id = asked.params["VServerGroupId"];
        if (asked.action === "DescribeVServerGroupAttribute")
            return { body: { VServerGroupId: id, BackendServers: { BackendServer: id === "rsp-2" ? members : [] } } };
        return id === "rsp-1" ? first : { body: {} };
    });
}

const deletedBy = (asked: ReturnType<typeof instance>["asked"]) =>
    asked.filter(({ action }) => action === "DeleteVServerGroup").map(({ params }) => params["VServerGroupId"]);

/** Makes an instance of the Service with a listener, and a half-made instance of the same name. */
const twins = () =>
    scriptedCloud(({ action, params }) => {
        const ids = ["lb-1", "lb-2"];
        if (action === "DescribeLoadBalancers")
            return {
                body: {
                    LoadBalancers: {
                        LoadBalancer: ids.map((id) => ({ LoadBalancerId: id, LoadBalancerName: OWN.name })),
                    },
                },
            };
        if (action !== "DescribeLoadBalancerAttribute") return { body: {} };
        const id = params["LoadBalancerId"];
        const listeners = id === "lb-1" ? [{ ListenerProtocol: "tcp", ListenerPort: 80 }] : [];
        return {
            body: {
                LoadBalancerId: id,
                Address: `203.0.113.${id?.at(-1)}`,
                ListenerPortsAndProtocol: { ListenerPortAndProtocol: listeners },
            },
        };
    });
const OWN = { name: "a04da6b54", owner: "a04da6b54" };

test("an instance of the Service that listens is no remnant, and stays while it is replaced", async () => {
    for (const [address, expected] of [
        ["shop.example.com", ["lb-2"]],
        ["203.0.113.1", ["lb-2"]],
        // The listeners of the serving instance may have been deleted by hand.
        ["203.0.113.2", []],
    ] as const) {
        const { cloud, asked } = twins();
        await clbLoadBalancer(cloud, { ...OWN, replaced: [address] });
        const deleted = asked.filter(({ action }) => action === "DeleteLoadBalancer");
        expect(deleted.map(({ params }) => params["LoadBalancerId"])).toStrictEqual(expected);
    }
    await expect(clbLoadBalancer(twins().cloud, OWN)).rejects.toThrow(
        /load balancer lb-1 has the name a04da6b54 already and listens on tcp:80/,
    );
});

test("a group of this name that a listener uses stays: ports of one nodePort share the name", async () => {
    const { cloud, asked } = instance(refusal("RspoolVipExist"));
    await clbServerGroup(cloud, "lb-1", NAME);
    expect(deletedBy(asked)).toStrictEqual(["rsp-1", "rsp-2"]);
});

test("a group of this name with members stays: its listener may be about to be replaced", async () => {
    const { cloud, asked } = instance(refusal("RspoolVipExist"), [MEMBER]);
    await clbServerGroup(cloud, "lb-1", NAME);
    expect(deletedBy(asked)).toStrictEqual(["rsp-1"]);
});

test("any other refusal is reported", async () => {
    const { cloud } = instance(refusal("Forbidden.RAM", "no permission", 403));
    await expect(clbServerGroup(cloud, "lb-1", NAME)).rejects.toThrow(/Forbidden\.RAM/);
});

for (const [status, calls] of [
    ["stopped", ["DescribeLoadBalancerTCPListenerAttribute", "StartLoadBalancerListener"]],
    ["running", ["DescribeLoadBalancerTCPListenerAttribute"]],
] as const) {
    test(`a ${status} listener is ${status === "stopped" ? "started" : "left alone"}`, async () => {
        const { cloud, asked } = scriptedCloud(() => ({ body: { Status: status } }));
        await ensureStarted(cloud, "lb-1", { port: 80, protocol: "tcp" });
        expect(asked.map(({ action }) => action)).toStrictEqual(calls);
    });
}

const LISTENER = { port: 80, protocol: "tcp", description: NAME } as const;

/** Answer about an instance that has one listener, on port 80. */
const withListener = (ListenerProtocol: string) => ({
    body: {
        LoadBalancerId: "lb-1",
        ListenerPortsAndProtocol: { ListenerPortAndProtocol: [{ ListenerPort: 80, ListenerProtocol }] },
    },
});

/**
 * Returns the fate of a listener in place of our TCP listener, which is to be created: the looks at it, and whether it
 * was deleted.
 */
async function swept(
    status: string,
    goneAfter: number,
    protocol = "tcp",
): Promise<{ looks: number; deleted: boolean }> {
    let looks = 0;
    const { cloud, asked, clock } = scriptedCloud(
        ({ action }) => {
            if (action === "DescribeLoadBalancerAttribute") return withListener(protocol);
            const isLook = action === `DescribeLoadBalancer${protocol.toUpperCase()}ListenerAttribute`;
            if (isLook) looks++;
            return action.startsWith("Delete") || (isLook && looks <= goneAfter)
                ? { body: { Status: status, Description: NAME } }
                : refusal("InvalidParameter", "The specified resource does not exist.");
        },
        { clock: new VirtualClock() },
    );
    await clock.run(clbListener(cloud, "lb-1", LISTENER, [], clock));
    const actions = asked.map(({ action }) => action);
    return { looks, deleted: actions.includes("DeleteLoadBalancerListener") };
}

test("a half-made listener is removed at once; the engine gets time to delete a running one", async () => {
    expect(await swept("stopped", 99)).toStrictEqual({ looks: 1, deleted: true });
    expect(await swept("running", 3)).toStrictEqual({ looks: 4, deleted: false });
    expect(await swept("running", 99)).toStrictEqual({ looks: 21, deleted: true });
});

test("the engine gets time to delete a listener of another protocol on the port, except UDP", async () => {
    for (const protocol of ["http", "https"]) {
        expect(await swept("stopped", 99, protocol)).toStrictEqual({ looks: 1, deleted: true });
        expect(await swept("running", 3, protocol)).toStrictEqual({ looks: 4, deleted: false });
    }
    expect(await swept("running", 99, "udp")).toStrictEqual({ looks: 0, deleted: false });
});

for (const [what, found, calls] of [
    ["is not there", [], ["DescribeDomainExtensions"]],
    [
        "was left behind by an interrupted create",
        [{ DomainExtensionId: "de-1", Domain: "a.example.com", ServerCertificateId: "cert-1" }],
        ["DescribeDomainExtensions", "DeleteDomainExtension"],
    ],
] as const) {
    test(`a domain of a listener that ${what}`, async () => {
        const { cloud, asked } = scriptedCloud(() => ({ body: { DomainExtensions: { DomainExtension: found } } }));
        await domainExtension(cloud, "lb-1", { port: 443, domain: "a.example.com", certId: "cert-1" });
        expect(asked.map(({ action }) => action)).toStrictEqual(calls);
    });
}

test("a domain with another certificate is user-managed: it is refused, not removed", async () => {
    const other = { DomainExtensionId: "de-1", Domain: "a.example.com", ServerCertificateId: "cert-9" };
    const { cloud, asked } = scriptedCloud(() => ({ body: { DomainExtensions: { DomainExtension: [other] } } }));
    await expect(
        domainExtension(cloud, "lb-1", { port: 443, domain: "a.example.com", certId: "cert-1" }),
    ).rejects.toThrow(/has the domain a\.example\.com already, with certificate cert-9/);
    expect(asked).toHaveLength(1);
});

const FORMER: readonly (readonly [string, string, string, string | undefined, readonly string[]])[] = [
    ["of the Service, which a restored older state does not know, goes", NAME, "rsp-2", undefined, ["rsp-2"]],
    ["that another listener uses stays", NAME, "rsp-2", "RspoolVipExist", ["rsp-2"]],
    ["that the new listener sends to stays", NAME, "rsp-1", undefined, []],
    ["of another Service stays", "k8s/30080/other/shop/c1", "rsp-2", undefined, []],
    ["with a name by hand stays", "by hand", "rsp-2", undefined, []],
];
for (const [what, name, former, refused, tried] of FORMER) {
    test(`with our listener: a group ${what}`, async () => {
        const { cloud, asked } = scriptedCloud(({ action, params }) => {
            if (action === "DescribeVServerGroupAttribute")
                return { body: { VServerGroupId: params["VServerGroupId"], VServerGroupName: name } };
            if (action === "DescribeLoadBalancerAttribute") return withListener("tcp");
            if (action === "DeleteVServerGroup" && refused !== undefined) return refusal(refused);
            return { body: { Status: "stopped", Description: NAME, VServerGroupId: former } };
        });
        await clbListener(cloud, "lb-1", { ...LISTENER, serverGroupId: "rsp-1" });
        const deleted = asked.filter(({ action }) => action === "DeleteVServerGroup");
        expect(deleted.map(({ params }) => params["VServerGroupId"])).toStrictEqual(tried);
        expect(asked.some(({ action }) => action === "DeleteLoadBalancerListener")).toBe(true);
    });
}

for (const [what, there, calls] of [
    ["none of them", {}, ["ListTagResources", "TagResources"]],
    ["another owner's", { a: "2", b: "2" }, ["ListTagResources", "TagResources"]],
    ["all of them, and one by hand", { a: "1", b: "2", c: "3" }, ["ListTagResources"]],
] as const) {
    test(`an instance gets the tags that it lacks: it has ${what}`, async () => {
        const TagResource = Object.entries(there).map(([TagKey, TagValue]) => ({ TagKey, TagValue }));
        const { cloud, asked } = scriptedCloud(() => ({ body: { TagResources: { TagResource } } }));
        await ensureTagged(cloud, "lb-1", { a: "1", b: "2" });
        expect(asked.map(({ action }) => action)).toStrictEqual(calls);
    });
}
