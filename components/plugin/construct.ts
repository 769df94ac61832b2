/** Components of the plugin: those of the TypeScript API, with a `cluster` by value. */
import * as pulumi from "@pulumi/pulumi";
import * as components from "..";
import type { DiscoverArgs } from "../cluster/args";
import { isKnownOutput, problem, promiseOf, secretFields } from "../run/outputs";
import { perRun } from "../run/run";
import { readClusterConfig } from "../stack/config";
import { formatDiagnostics } from "../../provider/diagnostics";
import { defined, unlessEmpty } from "../../provider/schema/defined";
import { COMPONENT_TYPES, type ComponentType, componentType } from "../../provider/schema/own-types";

type Options = pulumi.ComponentResourceOptions;

type Make = (name: string, inputs: pulumi.Inputs, opts: Options) => Promise<pulumi.ComponentResource>;

/** Arguments of a program, which the constructors check. */
type WithCluster = pulumi.Inputs & { readonly cluster: components.Cluster };

/** A component for each type, with the names of its outputs in the schema. */
export const COMPONENTS: Readonly<Record<ComponentType, { readonly make: Make; readonly outputs: readonly string[] }>> =
    {
        ServiceLoadBalancer: {
            make: makeService,
            outputs: "address addressType clusterAddress loadBalancerId managed namespace serviceName".split(" "),
        },
        SharedLoadBalancer: { make: makeShared, outputs: ["address", "name"] },
        SyncController: {
            make: async (name, inputs, opts) =>
                new components.SyncController(name, inputs as components.SyncControllerArgs, opts),
            outputs: [],
        },
        UnexposedService: { make: makeUnexposed, outputs: [] },
    };

export async function construct(
    name: string,
    type: string,
    inputs: pulumi.Inputs,
    options: Options,
): Promise<pulumi.provider.ConstructResult> {
    const found = COMPONENT_TYPES.find((one) => componentType(one) === type);
    if (found === undefined) throw new pulumi.RunError(`ack-loadbalancer has no component ${type}`);
    const component = COMPONENTS[found];
    const made = (await component.make(name, inputs, await withoutDefaults(options))) as pulumi.ComponentResource &
        pulumi.Inputs;
    return { urn: made.urn, state: Object.fromEntries(component.outputs.map((output) => [output, made[output]])) };
}

/** `adopt`, and a Service by its namespace and name, are the static methods of the class. */
async function makeService(name: string, inputs: pulumi.Inputs, opts: Options) {
    const { adopt, loadBalancer, ...others } = await withCluster(inputs);
    const args: WithCluster = { ...others, ...defined({ loadBalancer: await sharedBy(loadBalancer) }) };
    if (adopt === true)
        return components.ServiceLoadBalancer.adopt(name, args as unknown as components.AdoptServiceArgs, opts);
    if ("namespace" in args || "name" in args)
        return components.ServiceLoadBalancer.forExisting(
            name,
            args as unknown as components.ExistingServiceArgs,
            opts,
        );
    return new components.ServiceLoadBalancer(name, args, opts);
}

async function makeShared(name: string, inputs: pulumi.Inputs, opts: Options) {
    const made = new components.SharedLoadBalancer(name, await withCluster(inputs), opts);
    sharedOfRun().set(await promiseOf(made.urn), made);
    return made;
}

async function makeUnexposed(name: string, inputs: pulumi.Inputs, opts: Options) {
    const args = (await withCluster(inputs)) as unknown as components.UnexposedServiceArgs;
    const live = await components.UnexposedService.find(args.cluster, args.namespace, args.name);
    if (live === undefined)
        throw new pulumi.RunError(
            `the cluster has no Service ${args.namespace}/${args.name} that this stack applies. ` +
                "Remedy: use the kubernetes package for a Service that never had a load balancer.",
        );
    return new components.UnexposedService(name, { ...args, live }, opts);
}

/** Shared load balancers of a run by their URN: a program passes a reference. */
const sharedOfRun = perRun(() => new Map<string, components.SharedLoadBalancer>());

/** @throws RunError if the program gives anything but a shared load balancer of its own */
async function sharedBy(reference: unknown): Promise<components.SharedLoadBalancer | undefined> {
    if (reference === undefined) return undefined;
    // The SDK gives a reference to a component as its URN.
    const urn = await promiseOf(pulumi.output(reference));
    const shared = typeof urn === "string" ? sharedOfRun().get(urn) : undefined;
    if (shared !== undefined) return shared;
    throw new pulumi.RunError(
        "loadBalancer: this is no SharedLoadBalancer of the program. " +
            "Remedy: refer to the resource itself; name any other load balancer by its id (settings.id).",
    );
}

/** Returns the arguments with the cluster that they state, or that the stack is configured with. */
async function withCluster(inputs: pulumi.Inputs): Promise<WithCluster> {
    const given: pulumi.Output<DiscoverArgs | undefined> = pulumi.output(inputs["cluster"]);
    if (!(await isKnownOutput(given)))
        throw new pulumi.RunError(
            "cluster: it is not known in this preview, because another resource of the program is still to be made. " +
                "Remedy: make that resource first, in a separate run (pulumi up --target), or in a stack of its own.",
        );
    await refuseSecrets(inputs["cluster"]);
    const args = (await promiseOf(given)) ?? readClusterConfig();
    return { ...inputs, cluster: await components.Cluster.discover(args) };
}

/** Refuses secrets that states would show: contents of a kubeconfig, which alone may be secret, are in no state. */
async function refuseSecrets(cluster: unknown): Promise<void> {
    const fields = (await secretFields(cluster)).filter((path) => path.join() !== "kubeconfig");
    if (fields.length === 0) return;
    const problems = fields.map((path) =>
        problem(
            "cluster",
            path,
            "this is a secret, and the states of resources have the value as it is",
            "write the value without secret, or, for what gives access to an account, in a profile of the " +
                "Alibaba Cloud CLI, and name the profile (account.profile). Only kubeconfig may be a secret",
        ),
    );
    throw new pulumi.RunError(formatDiagnostics(problems));
}

/** Returns the options that the program sets. The SDK gives all, and the stack as parent of those without a parent. */
async function withoutDefaults({ parent, protect, providers, dependsOn, ...rest }: Options): Promise<Options> {
    const isStack = parent !== undefined && (await promiseOf(parent.urn)).includes("::pulumi:pulumi:Stack::");
    return {
        ...rest,
        ...defined({
            parent: isStack ? undefined : parent,
            protect: protect || undefined,
            providers: unlessEmpty(providers ?? {}),
            dependsOn: unlessEmpty((dependsOn ?? []) as pulumi.Resource[]),
        }),
    };
}
