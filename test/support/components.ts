/** Resources that a program registers, and their dependencies, in the form that a test wants. */
import * as pulumi from "@pulumi/pulumi";
import type { RegisterResourceOutputsRequest, RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { loadBalancerMocks } from "../../components/mocks";

/** URNs of the resources that each resource, or each property of it, depends on. */
export interface Dependencies {
    /** Dependencies on resources by URN, which include its parent and what it is deleted with, as in the engine. */
    readonly ofResources: ReadonlyMap<string, readonly string[]>;
    /** By URN and name of the property. */
    readonly ofProperties: ReadonlyMap<string, readonly string[]>;
}

/**
 * Runs a program under mocks, as a preview or as an update.
 *
 * @param program gives the resources that it registers last, and the number of its components.
 */
export async function dependenciesOf(
    program: () => { readonly last: readonly pulumi.Resource[]; readonly components: number },
    { preview }: { readonly preview: boolean },
): Promise<Dependencies> {
    const ofResources = new Map<string, readonly string[]>();
    const ofProperties = new Map<string, readonly string[]>();
    await pulumi.runtime.setMocks(loadBalancerMocks(), "project", "stack", preview);
    const monitor = pulumi.runtime.getMonitor() as unknown as Monitor;
    const register = monitor.registerResource.bind(monitor);
    monitor.registerResource = (request, done) => {
        const urn = monitor.newUrn(request.getParent(), request.getType(), request.getName());
        ofResources.set(
            urn,
            [...new Set([...request.getDependenciesList(), request.getParent(), request.getDeletedwith()])]
                .filter((one) => one !== "")
                .sort(),
        );
        for (const [property, on] of request.getPropertydependenciesMap().entries())
            ofProperties.set(`${urn} ${property}`, on.getUrnsList().sort());
        return register(request, done);
    };
    const registerOutputs = monitor.registerResourceOutputs.bind(monitor);
    let unfinished = Infinity;
    const finished = new Promise<void>((resolve) => {
        let outputs = 0;
        monitor.registerResourceOutputs = (request, done) => {
            registerOutputs(request, done);
            if (++outputs === unfinished) resolve();
        };
    });
    const { last, components } = program();
    unfinished = components;
    await Promise.all(last.map(({ urn }) => new Promise((resolve) => urn.apply(resolve))));
    await finished;
    await pulumi.runtime.disconnect();
    return { ofResources, ofProperties };
}

interface Monitor {
    newUrn(parent: string, type: string, name: string): string;
    registerResource(request: RegisterResourceRequest, done: unknown): unknown;
    registerResourceOutputs(request: RegisterResourceOutputsRequest, done: unknown): unknown;
}

/** Everything that a resource depends on, and what that depends on. */
export function closureOf(urn: string, { ofResources }: Dependencies): Set<string> {
    const reached = new Set<string>();
    const pending = [urn];
    for (let next = pending.pop(); next !== undefined; next = pending.pop())
        for (const one of ofResources.get(next) ?? []) if (!reached.has(one)) pending.push(reached.add(one) && one);
    return reached;
}
