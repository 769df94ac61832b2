import { expect, test } from "@jest/globals";
import { refusal, scriptedCloud } from "../../test/support/cloud-client";
import { addAclEntries, describeAcl } from "./acl";
import type { Service } from "../service/service";
import { type ClbProtocol, transportOf } from "../schema/protocols";
import type { Settings } from "../schema/settings";
import { buildClbListeners, deleteListener, describeListener, readClbListener, setListener } from "./listener";
import {
    deleteLoadBalancer,
    describeLoadBalancer,
    findLoadBalancersByName,
    findLoadBalancersByTag,
    setModificationProtection,
} from "./load-balancer";
import { listTags, removeTags, setTags } from "./tags";

test("a load balancer is read as it is, and what the answer leaves out is absent", async () => {
    const { cloud, clock } = scriptedCloud(() => ({
        body: {
            RequestId: "r",
            LoadBalancerId: "lb-1",
            LoadBalancerName: "web",
            LoadBalancerStatus: "active",
            Address: "1.2.3.4",
            AddressType: "internet",
            AddressIPVersion: "ipv4",
            VpcId: "",
            InternetChargeType: "paybytraffic",
            Bandwidth: -1,
            DeleteProtection: "on",
            ModificationProtectionStatus: "ConsoleProtection",
            ListenerPortsAndProtocol: { ListenerPortAndProtocol: [{ ListenerPort: 80, ListenerProtocol: "tcp" }] },
        },
    }));
    expect(await clock.run(describeLoadBalancer(cloud, "lb-1"))).toStrictEqual({
        kind: "clb",
        id: "lb-1",
        name: "web",
        status: "active",
        address: "1.2.3.4",
        addressType: "internet",
        ipVersion: "ipv4",
        internetChargeType: "paybytraffic",
        bandwidth: -1,
        deleteProtection: "on",
        modificationProtection: "ConsoleProtection",
        listeners: [{ protocol: "tcp", port: 80 }],
    });
});

test("what is not there: undefined when read, fine when deleted; a wrong region is neither", async () => {
    const gone = scriptedCloud(({ action }) =>
        action.includes("Listener")
            ? refusal("InvalidParameter", "The specified resource does not exist.")
            : refusal("InvalidLoadBalancerId.NotFound", "The specified LoadBalancerId does not exist.", 404),
    );
    const { cloud, clock } = gone;
    expect(await clock.run(describeLoadBalancer(cloud, "lb-1"))).toBeUndefined();
    await clock.run(deleteLoadBalancer(cloud, "lb-1"));
    expect(
        await clock.run(describeListener(cloud, { loadBalancerId: "lb-1", protocol: "http", port: 80 })),
    ).toBeUndefined();
    await clock.run(deleteListener(cloud, { loadBalancerId: "lb-1", protocol: "http", port: 80 }));

    const wrong = scriptedCloud(() =>
        refusal("InvalidRegionId.NotFound", "The specified RegionId does not exist.", 404),
    );
    await expect(wrong.clock.run(describeLoadBalancer(wrong.cloud, "lb-1"))).rejects.toThrow(/InvalidRegionId/);
    await expect(
        wrong.clock.run(deleteListener(wrong.cloud, { loadBalancerId: "lb-1", protocol: "tcp", port: 80 })),
    ).rejects.toThrow(/InvalidRegionId/);
});

test("searches read every page", async () => {
    const all = Array.from({ length: 250 }, (_, index) => ({
        LoadBalancerId: `lb-${index}`,
        LoadBalancerName: index % 2 === 0 ? "web" : "web-2",
        InternetChargeType: "4",
        InternetChargeTypeAlias: "paybytraffic",
        Tags: { Tag: [{ TagKey: "k", TagValue: "v" }] },
    }));
    const { cloud, asked, clock } = scriptedCloud(({ params }) => {
        const size = Number(params["PageSize"]);
        const start = (Number(params["PageNumber"]) - 1) * size;
        return { body: { TotalCount: all.length, LoadBalancers: { LoadBalancer: all.slice(start, start + size) } } };
    });
    const byTag = await clock.run(findLoadBalancersByTag(cloud, { "kubernetes.do.not.delete": "a1" }));
    expect(new Set(byTag.map(({ id }) => id)).size).toBe(250);
    expect(byTag[0]).toStrictEqual({
        kind: "clb",
        id: "lb-0",
        name: "web",
        internetChargeType: "paybytraffic",
        tags: { k: "v" },
    });
    expect(asked.map(({ params }) => params["PageNumber"])).toStrictEqual(["1", "2", "3"]);
    expect(asked[0]?.params["Tags"]).toBe('[{"TagKey":"kubernetes.do.not.delete","TagValue":"a1"}]');
    expect(await clock.run(findLoadBalancersByName(cloud, "web"))).toHaveLength(125);
});

test("listeners are described and changed by their protocol's own actions", async () => {
    const { cloud, asked, clock } = scriptedCloud(() => ({ body: {} }));
    await clock.run(
        setListener(cloud, { loadBalancerId: "lb-1", protocol: "udp", port: 53 }, { HealthCheckInterval: 5 }),
    );
    expect(asked.map(({ action, params: { RegionId: _, ...params } }) => [action, params])).toStrictEqual([
        [
            "SetLoadBalancerUDPListenerAttribute",
            { LoadBalancerId: "lb-1", ListenerPort: "53", HealthCheckInterval: "5" },
        ],
    ]);
});

test("a reason goes only with console protection", async () => {
    const { cloud, asked, clock } = scriptedCloud(() => ({ body: {} }));
    await clock.run(setModificationProtection(cloud, "lb-1", "ConsoleProtection", "managed"));
    await clock.run(setModificationProtection(cloud, "lb-1", "NonProtection", "managed"));
    expect(asked.map(({ params }) => params["ModificationProtectionReason"])).toStrictEqual(["managed", undefined]);
});

test("tags: every page when read, 20 a call when set or removed", async () => {
    const { cloud, asked, clock } = scriptedCloud(({ action, params }) => {
        if (action !== "ListTagResources") return { body: {} };
        const second = params["NextToken"] === "t1";
        return {
            body: {
                TagResources: { TagResource: [{ TagKey: second ? "b" : "a", TagValue: second ? "" : "1" }] },
                NextToken: second ? "" : "t1",
            },
        };
    });
    expect(await clock.run(listTags(cloud, "lb-1"))).toStrictEqual({ a: "1", b: "" });
    const tags = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`k${index}`, "v"]));
    asked.length = 0;
    await clock.run(setTags(cloud, "lb-1", tags));
    await clock.run(removeTags(cloud, "lb-1", Object.keys(tags)));
    expect(asked.map(({ action }) => action)).toStrictEqual([
        "TagResources",
        "TagResources",
        "UntagResources",
        "UntagResources",
    ]);
    expect(asked[1]?.params["Tag.5.Key"]).toBe("k24");
    expect(asked[1]?.params["Tag.6.Key"]).toBeUndefined();
});

test("access control lists: read whole, changed 50 entries a call", async () => {
    const { cloud, asked, clock } = scriptedCloud(({ action }) =>
        action.startsWith("Describe")
            ? {
                  body: {
                      AclId: "acl-1",
                      AclName: "office",
                      AclEntrys: { AclEntry: [{ AclEntryIP: "10.0.0.0/8", AclEntryComment: "" }] },
                  },
              }
            : { body: {} },
    );
    expect(await clock.run(describeAcl(cloud, "acl-1"))).toStrictEqual({
        id: "acl-1",
        name: "office",
        entries: [{ entry: "10.0.0.0/8" }],
    });
    asked.length = 0;
    await clock.run(
        addAclEntries(
            cloud,
            "acl-1",
            Array.from({ length: 101 }, (_, index) => ({ entry: `10.0.${index}.0/24` })),
        ),
    );
    expect(asked.map(({ params }) => (JSON.parse(params["AclEntrys"] ?? "[]") as unknown[]).length)).toStrictEqual([
        50, 50, 1,
    ]);
});

const SERVICE: Omit<Service, "settings" | "ports"> = {
    namespace: "shop",
    name: "web",
    selector: { app: "web" },
    externalTrafficPolicy: "Cluster",
    loadBalancerType: "clb",
    loadBalancerSourceRanges: [],
    object: {},
};

/** Attributes by the API's names that each listener has. */
const COMMON = {
    Status: "running",
    VServerGroupId: "rsp-1",
    Scheduler: "rr",
    Bandwidth: -1,
    AclStatus: "off",
    HealthyThreshold: 3,
    UnhealthyThreshold: 3,
    HealthCheckInterval: 2,
};
const BUILT: readonly (readonly [ClbProtocol, Settings, Readonly<Record<string, unknown>>])[] = [
    [
        "tcp",
        { aclStatus: "on", aclId: "acl-1,acl-2", aclType: "black", connectionDrain: "on", connectionDrainTimeout: 30 },
        {
            AclStatus: "on",
            AclId: "acl-1,acl-2",
            AclType: "black",
            HealthCheck: "on",
            HealthCheckType: "tcp",
            HealthCheckConnectTimeout: 5,
            PersistenceTimeout: 0,
            ConnectionDrain: "on",
            ConnectionDrainTimeout: 30,
        },
    ],
    ["udp", { healthCheckSwitch: "off" }, { HealthCheck: "off", HealthCheckConnectTimeout: 5 }],
    [
        "http",
        { stickySession: "on", stickySessionType: "insert", cookieTimeout: 60 },
        {
            HealthCheck: "off",
            StickySession: "on",
            StickySessionType: "insert",
            CookieTimeout: 60,
            // A health check that is off has the API's own defaults.
            HealthCheckTimeout: 5,
            HealthCheckMethod: "head",
        },
    ],
    [
        "https",
        {
            certId: "c-1",
            healthCheckFlag: "on",
            healthCheckDomain: "example.com",
            stickySession: "on",
            stickySessionType: "server",
            cookie: "sid",
            healthCheckHttpcode: ["http_2xx", "http_4xx"],
        },
        {
            ServerCertificateId: "c-1",
            HealthCheck: "on",
            HealthCheckTimeout: 5,
            HealthCheckMethod: "head",
            HealthCheckDomain: "example.com",
            HealthCheckHttpCode: "http_2xx,http_4xx",
            StickySession: "on",
            StickySessionType: "server",
            Cookie: "sid",
        },
    ],
];

test.each(BUILT)("a listener for %s is read as a builder makes it", async (protocol, settings, answer) => {
    const [built] = buildClbListeners(
        {
            ...SERVICE,
            settings: { ...settings, protocolPort: [{ protocol, port: 80 }] },
            ports: [{ port: 80, protocol: transportOf(protocol), targetPort: 8080 }],
        },
        { clusterId: "c1" },
    );
    const { cloud, clock } = scriptedCloud(() => ({
        body: { ...COMMON, ...answer, Description: "k8s/80/web/shop/c1" },
    }));
    const read = await clock.run(readClbListener(cloud, { loadBalancerId: "lb-1", protocol, port: 80 }));
    const { key: _, serverGroup: __, attributes, ...expected } = built!;
    expect(read).toMatchObject({ ...expected, serverGroupId: "rsp-1", status: "running", bandwidth: -1 });
    expect(read?.attributes).toMatchObject(attributes);
});

test("a listener that redirects is read with its target; headers that no Service sets are told", async () => {
    const { cloud, clock } = scriptedCloud(() => ({
        body: { ListenerForward: "on", ForwardPort: 443, XForwardedFor_SLBIP: "on", Scheduler: "rr" },
    }));
    expect(
        await clock.run(readClbListener(cloud, { loadBalancerId: "lb-1", protocol: "http", port: 80 })),
    ).toMatchObject({
        forwardPort: 443,
        forwardTo: "tcp-443",
        addsAddress: true,
        addsId: false,
    });
});
