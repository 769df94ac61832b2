/** Fakes for the unit tests of programs: with them a program runs without a cluster, a cloud or the Pulumi engine. */
import type * as pulumi from "@pulumi/pulumi";
import { defined } from "../../provider/schema/defined";

export { FakeCluster, type FakeContent, type FakePod } from "./cluster";

/** A resource that a program has registered. */
export interface RegisteredResource {
    /** For example `alicloud:slb/listener:Listener`. */
    readonly type: string;
    readonly name: string;
    readonly inputs: Readonly<Record<string, unknown>>;
}

/** Mocks for `pulumi.runtime.setMocks`, and what was registered with them. */
export interface LoadBalancerMocks extends pulumi.runtime.Mocks {
    readonly registered: readonly RegisteredResource[];
}

/** The address that every fake CLB has, of the range for documentation (RFC 5737). */
export const FAKE_ADDRESS = "203.0.113.7";

/** The DNS name that every fake NLB has. */
export const FAKE_DNS_NAME = "nlb-fake.cn-hangzhou.nlb.aliyuncs.com";

/**
 * Answers of the API server, the cloud and the dynamic providers: nodePorts (30000 + port), a UID, an address. Ids
 * are the name of the resource with `-id`.
 *
 * @param others for resources of the program's own; an undefined answer is replaced by the inputs.
 */
export function loadBalancerMocks(others: Partial<pulumi.runtime.Mocks> = {}): LoadBalancerMocks {
    const registered: RegisteredResource[] = [];
    return {
        registered,
        newResource: (args) => {
            const inputs = args.inputs as Record<string, unknown>;
            registered.push({ type: args.type, name: args.name, inputs });
            const state = outputsOf(args.type, inputs);
            return state === undefined && others.newResource !== undefined
                ? others.newResource(args)
                : { id: `${args.name}-id`, state: { ...inputs, ...state } };
        },
        call: (args) => others.call?.(args) ?? {},
    };
}

/** Returns the outputs of a resource of this package beyond its inputs; undefined for others. */
function outputsOf(type: string, inputs: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
    if (type.startsWith("pulumi-nodejs:dynamic/ack-loadbalancer:")) {
        const [candidate] = (inputs["candidates"] ?? []) as readonly string[];
        return { ...defined({ chosen: candidate }), vpc: "vpc-fake" };
    }
    switch (type) {
        case "kubernetes:core/v1:Service":
            return serviceOutputs(inputs as unknown as ServiceInputs);
        case "alicloud:slb/applicationLoadBalancer:ApplicationLoadBalancer":
            return { address: FAKE_ADDRESS };
        case "alicloud:nlb/loadBalancer:LoadBalancer":
            return { dnsName: FAKE_DNS_NAME };
        default:
            return undefined;
    }
}

interface ServiceInputs {
    readonly metadata: object;
    readonly spec: { readonly ports?: readonly { readonly port: number; readonly nodePort?: number }[] };
}

function serviceOutputs({ metadata, spec }: ServiceInputs): Record<string, unknown> {
    return {
        metadata: { ...metadata, uid: "00000000-0000-4000-8000-000000000000" },
        spec: { ...spec, ports: (spec.ports ?? []).map((port) => ({ nodePort: 30000 + port.port, ...port })) },
    };
}
