/** Requirements: I07. */
import { expect, test } from "@jest/globals";
import { ClusterError, type ClusterReader } from "../../cluster";
import type { ServiceObject } from "../../service/objects";
import { isLeftToCcm } from "../../service/controller";
import { claimService, handBackService } from "./claim";

const KEY = { namespace: "shop", name: "web", uid: "u-1" };
type Json = Record<string, unknown>;

/** Cluster with one Service, merge patches as the API server does them, and a log of the writes. */
class OneService {
    readonly writes: Json[] = [];
    conflicts = 0;

    constructor(public service: Json | undefined) {}

    get cluster(): ClusterReader {
        return {
            getService: async () => structuredClone(this.service) as unknown as ServiceObject | undefined,
            patchService: async (_namespace: string, _name: string, patch: Json) => {
                if (this.conflicts-- > 0)
                    throw new ClusterError({ kind: "conflict", action: "patch", detail: "changed" });
                this.writes.push(patch);
                this.service = merge(this.service ?? {}, patch) as Json;
                // What the API server does with a Service that is no load balancer any more.
                if ((this.service["spec"] as Json)["type"] !== "LoadBalancer") this.service["status"] = {};
            },
            patchServiceStatus: async (_namespace: string, _name: string, loadBalancer: object) => {
                this.service = { ...this.service, status: { loadBalancer } };
                return true;
            },
        } as unknown as ClusterReader;
    }

    get object(): ServiceObject {
        return this.service as unknown as ServiceObject;
    }
}

function merge(target: unknown, patch: unknown): unknown {
    if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
    const result: Json = { ...((target ?? {}) as Json) };
    for (const [key, value] of Object.entries(patch)) {
        if (value === null) delete result[key];
        else result[key] = merge(result[key], value);
    }
    return result;
}

const ofCcm = () => ({
    metadata: {
        ...KEY,
        resourceVersion: "7",
        finalizers: ["service.k8s.alibaba/resources", "example.com/own"],
        labels: { "service.beta.kubernetes.io/hash": "abc", "service.k8s.alibaba/loadbalancer-id": "lb-1", app: "web" },
        annotations: { note: "kept" },
    },
    spec: { type: "LoadBalancer", ports: [{ port: 80, nodePort: 30080 }] },
    status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } },
});

const ofOurs = () => ({
    metadata: { ...KEY, resourceVersion: "7", annotations: { "ack-loadbalancer.io/stack": "p/s" } },
    spec: {
        type: "LoadBalancer",
        loadBalancerClass: "ack-loadbalancer.io/clb",
        loadBalancerSourceRanges: ["10.0.0.0/8"],
        healthCheckNodePort: 31000,
        ports: [{ port: 80, nodePort: 30080 }],
    },
    status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } },
});

test("claim: annotation, finalizer and labels change in one write, if the Service is unchanged", async () => {
    const world = new OneService(ofCcm());
    await claimService(world.cluster, KEY, "clb");
    expect(world.writes).toHaveLength(1);
    expect((world.writes[0]?.["metadata"] as Json)["resourceVersion"]).toBe("7");
    const { metadata, status } = world.object;
    expect([metadata.finalizers, metadata.labels]).toStrictEqual([["example.com/own"], { app: "web" }]);
    expect(metadata.annotations).toStrictEqual({
        note: "kept",
        "service.beta.kubernetes.io/class": "ack-loadbalancer.io/clb",
    });
    expect(status).toStrictEqual(ofCcm().status);
    expect(isLeftToCcm(world.object)).toBe(false);
});

test("claim: neither a claimed Service nor one with another class is written", async () => {
    const world = new OneService(ofCcm());
    await claimService(world.cluster, KEY, "clb");
    await claimService(world.cluster, KEY, "clb");
    expect(world.writes).toHaveLength(1);
    const ours = new OneService(ofOurs());
    await claimService(ours.cluster, KEY, "clb");
    expect(ours.writes).toStrictEqual([]);
});

test("claim: another one's change at the same moment is met by a second try, but not for ever", async () => {
    const world = new OneService(ofCcm());
    world.conflicts = 2;
    await claimService(world.cluster, KEY, "clb");
    expect(isLeftToCcm(world.object)).toBe(false);
    const busy = new OneService(ofCcm());
    busy.conflicts = 99;
    await expect(claimService(busy.cluster, KEY, "clb")).rejects.toThrow(ClusterError);
});

test("claim: a Service that is gone, or was made anew, is not taken over", async () => {
    await expect(claimService(new OneService(undefined).cluster, KEY, "clb")).rejects.toThrow(/is not in the cluster/);
    const anew = new OneService(ofCcm());
    await expect(claimService(anew.cluster, { ...KEY, uid: "u-2" }, "clb")).rejects.toThrow(/is not in the cluster/);
    expect(anew.writes).toStrictEqual([]);
});

test("hand back: a claimed Service loses the annotation and nothing else", async () => {
    const world = new OneService(ofCcm());
    await claimService(world.cluster, KEY, "clb");
    await handBackService(world.cluster, KEY, "clb");
    expect(world.object.metadata.annotations).toStrictEqual({ note: "kept" });
    expect([world.object.spec, world.object.status]).toStrictEqual([ofCcm().spec, ofCcm().status]);
    await handBackService(world.cluster, KEY, "clb");
    expect(world.writes.length).toBe(2);
});

test("hand back: a claimed Service passes through NodePort; ports, ranges and address stay", async () => {
    const world = new OneService(ofOurs());
    await handBackService(world.cluster, KEY, "clb");
    expect(world.writes.map(({ spec }) => (spec as Json)["type"])).toStrictEqual(["NodePort", "LoadBalancer"]);
    const { loadBalancerClass: _, ...spec } = ofOurs().spec;
    expect([world.object.spec, world.object.status, world.object.metadata.annotations]).toStrictEqual([
        spec,
        ofOurs().status,
        {},
    ]);
});

test("hand back: one that was interrupted half-way is finished, with all that was kept", async () => {
    const world = new OneService(ofOurs());
    const interrupted = { ...world.cluster };
    let patches = 0;
    const { patchService } = interrupted;
    await expect(
        handBackService(
            {
                ...interrupted,
                patchService: async (...args) =>
                    ++patches > 1 ? Promise.reject(new Error("killed")) : patchService(...args),
            },
            KEY,
            "clb",
        ),
    ).rejects.toThrow(/killed/);
    expect(world.object.spec?.type).toBe("NodePort");
    await handBackService(world.cluster, KEY, "clb");
    const { loadBalancerClass: _, ...spec } = ofOurs().spec;
    expect([world.object.spec, world.object.status]).toStrictEqual([spec, ofOurs().status]);
});

test("hand back: a Service that does not exist needs nothing", async () => {
    await handBackService(new OneService(undefined).cluster, KEY, "clb");
});

const ofCcmNlb = (spec: Json = {}) => ({
    ...ofCcm(),
    metadata: {
        ...ofCcm().metadata,
        finalizers: ["service.k8s.alibaba/nlb"],
        labels: { ...ofCcm().metadata.labels, "service.k8s.alibaba/security-group-id": "sg-1" },
        annotations: { note: "kept", "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-type": "nlb" },
    },
    spec: {
        ...ofCcm().spec,
        loadBalancerClass: "alibabacloud.com/nlb",
        loadBalancerSourceRanges: ["10.0.0.0/8"],
        healthCheckNodePort: 31000,
        ...spec,
    },
    status: { loadBalancer: { ingress: [{ hostname: "nlb-1.example.com" }] } },
});

for (const [what, spec] of Object.entries<Json>({
    "with nodePorts": {},
    "without nodePorts": { allocateLoadBalancerNodePorts: false },
}))
    test(`claim of an NLB ${what}: class, finalizer, labels change together; the rest is restored`, async () => {
        const world = new OneService(ofCcmNlb(spec));
        await claimService(world.cluster, KEY, "nlb");
        const [left, back] = world.writes as [Json, Json];
        expect(world.writes).toHaveLength(2);
        // CCM must never see another type with its finalizer: it would delete the load balancer.
        expect(left).toMatchObject({
            metadata: { finalizers: null, resourceVersion: "7" },
            spec: { type: "NodePort", loadBalancerClass: null },
        });
        expect(back).toMatchObject({ spec: { type: "LoadBalancer", loadBalancerClass: "ack-loadbalancer.io/nlb" } });
        const { metadata, status } = world.object;
        expect(world.object.spec).toStrictEqual({
            ...ofCcmNlb(spec).spec,
            loadBalancerClass: "ack-loadbalancer.io/nlb",
        });
        expect([metadata.finalizers, metadata.labels, metadata.annotations, status]).toStrictEqual([
            undefined,
            { app: "web" },
            { note: "kept" },
            ofCcmNlb().status,
        ]);
        expect(isLeftToCcm(world.object)).toBe(false);
        await claimService(world.cluster, KEY, "nlb");
        expect(world.writes).toHaveLength(2);
    });

test("claim of an NLB: one that was interrupted half-way is finished", async () => {
    const world = new OneService(ofCcmNlb());
    let patches = 0;
    const { patchService } = world.cluster;
    const killed: ClusterReader = {
        ...world.cluster,
        patchService: async (...args) => (++patches > 1 ? Promise.reject(new Error("killed")) : patchService(...args)),
    };
    await expect(claimService(killed, KEY, "nlb")).rejects.toThrow(/killed/);
    expect([world.object.spec?.type, isLeftToCcm(world.object)]).toStrictEqual(["NodePort", true]);
    await claimService(world.cluster, KEY, "nlb");
    expect(world.object.spec).toStrictEqual({ ...ofCcmNlb().spec, loadBalancerClass: "ack-loadbalancer.io/nlb" });
    expect(world.object.status).toStrictEqual(ofCcmNlb().status);
});

for (const text of ["", "{", "null", "[]", '{"loadBalancerSourceRanges":"10.0.0.0/8"}'])
    test(`an edited record (${text}) prevents a change of class, which would lose source ranges`, async () => {
        const world = new OneService({
            ...ofOurs(),
            metadata: { ...KEY, annotations: { "ack-loadbalancer.io/changing-class": text } },
            spec: { type: "NodePort" },
        });
        await expect(handBackService(world.cluster, KEY, "clb")).rejects.toThrow(
            /Service shop\/web: .*changing-class.*cannot be read.*Remedy: set spec.type/,
        );
        expect(world.writes).toStrictEqual([]);
    });

test("a record of a change of class adds nothing to the Service that it did not have", async () => {
    const record = { loadBalancerSourceRanges: ["10.0.0.0/8"], externalIPs: ["192.0.2.1"] };
    const world = new OneService({
        ...ofOurs(),
        metadata: { ...KEY, annotations: { "ack-loadbalancer.io/changing-class": JSON.stringify(record) } },
        spec: { type: "NodePort" },
    });
    await handBackService(world.cluster, KEY, "clb");
    expect(world.object.spec).toStrictEqual({
        type: "LoadBalancer",
        loadBalancerSourceRanges: ["10.0.0.0/8"],
    });
});

test("an unreadable record is removed with the marks if the Service is a load balancer again", async () => {
    const world = new OneService({
        ...ofOurs(),
        metadata: { ...KEY, annotations: { "ack-loadbalancer.io/changing-class": "{" } },
        spec: { type: "LoadBalancer" },
    });
    await handBackService(world.cluster, KEY, "clb");
    expect([world.object.spec, world.object.metadata.annotations]).toStrictEqual([{ type: "LoadBalancer" }, {}]);
});

test("hand back of an NLB: the class is that of CCM again, and nothing else has changed", async () => {
    const world = new OneService(ofCcmNlb());
    await claimService(world.cluster, KEY, "nlb");
    await handBackService(world.cluster, KEY, "nlb");
    expect([world.object.spec, world.object.status]).toStrictEqual([ofCcmNlb().spec, ofCcmNlb().status]);
    expect(world.object.metadata.annotations).toStrictEqual({ note: "kept" });
    const writes = world.writes.length;
    await handBackService(world.cluster, KEY, "nlb");
    expect(world.writes).toHaveLength(writes);
});

test("a Service that is no load balancer any more, by its owner's will, stays as it is", async () => {
    const world = new OneService({ ...ofOurs(), spec: { type: "NodePort" } });
    await handBackService(world.cluster, KEY, "nlb");
    expect(world.object.spec?.type).toBe("NodePort");
});
