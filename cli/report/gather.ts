import { dynamicType } from "../../provider/schema/own-types";
import * as types from "../../provider/schema/resource-types";
import { changeBetween, leavesStack, recordOf, type Resource, type ResourceState, type Step, textOf } from "./step";

/** Resources of a Service, or of a shared load balancer. */
export interface Bundle {
    /** `Service default/web`, or `Shared load balancer front`. */
    readonly subject: string;
    /** `default/web`. */
    readonly name: string;
    readonly component: Resource;
    readonly contract: Resource | undefined;
    /** Instance that was created for this Service. */
    readonly instance: Resource | undefined;
    /** Use of a user-managed instance. */
    readonly reused: Resource | undefined;
    /** Instance of the shared load balancer that the Service uses. */
    readonly shared: Resource | undefined;
    readonly listeners: readonly Resource[];
    readonly groups: readonly Resource[];
    /** Backends, a resource for each group. */
    readonly backends: readonly Resource[];
    /** All others that traffic may depend on. */
    readonly others: readonly Resource[];
    /** Every resource of the preview, by URN. */
    readonly all: ReadonlyMap<string, Resource>;
}

/** Returns the resource that sets the zones and the address type of an NLB. */
export const zonesOf = ({ others }: Bundle): Resource | undefined =>
    others.find(({ type }) => /:LoadBalancerZones$/.test(type));

/** True if a Service leaves the stack, or changes its type and gets no load balancer any more. */
export const loses = ({ component, contract }: Bundle): boolean =>
    leavesStack(component) || contract?.change === "delete";

const INSTANCES: readonly string[] = [types.CLB_INSTANCE_TYPE, types.CLB_INSTANCE_FORMER_TYPE, types.NLB_INSTANCE_TYPE];
const LISTENERS: readonly string[] = [types.CLB_LISTENER_TYPE, types.NLB_LISTENER_TYPE];
const GROUPS: readonly string[] = [types.VSERVER_GROUP_TYPE, types.NLB_SERVER_GROUP_TYPE];

/** Dynamic resources that traffic does not depend on. */
const BOOKKEEPING: readonly string[] = [
    dynamicType("ServiceContract"),
    dynamicType("LoadBalancerRelease"),
    dynamicType("ServiceStatus"),
    dynamicType("VSwitchChoice"),
    dynamicType("ServiceClaim"),
    dynamicType("ZoneCheck"),
    dynamicType("CertificateCheck"),
    dynamicType("NlbCertificateCheck"),
    dynamicType("AclCheck"),
];

/** Types that a bundle has a member for, or leaves out. */
const NAMED = [...INSTANCES, ...LISTENERS, ...GROUPS, ...BOOKKEEPING, types.BACKENDS_TYPE, types.REUSED_TYPE];

const COMPONENTS: Readonly<Record<string, string>> = {
    [types.SERVICE_TYPE]: "Service",
    [types.SHARED_TYPE]: "Shared load balancer",
};

/** Returns the bundles of a preview, in its order. */
export function gather(resources: readonly Resource[]): Bundle[] {
    const byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
    const owned = Map.groupBy(resources, (resource) => ownerOf(resource, byUrn)?.urn);
    return resources
        .filter(({ type }) => Object.hasOwn(COMPONENTS, type))
        .map((component) => bundle(component, owned.get(component.urn) ?? [], byUrn));
}

/** Returns the component of this package around a resource, itself included. */
function ownerOf(resource: Resource, byUrn: ReadonlyMap<string, Resource>): Resource | undefined {
    const seen = new Set<string>();
    for (let at: Resource | undefined = resource; at !== undefined && !seen.has(at.urn);) {
        if (Object.hasOwn(COMPONENTS, at.type)) return at;
        seen.add(at.urn);
        const parent: string | undefined = (at.after ?? at.before)?.parent;
        at = parent === undefined ? undefined : byUrn.get(parent);
    }
    return undefined;
}

/** Returns the subject of a component of this package, or undefined for any other resource. */
export const componentSubject = (one: Omit<Step, "op">): string | undefined =>
    Object.hasOwn(COMPONENTS, one.type) ? `${COMPONENTS[one.type]} ${serviceOf(one)}` : undefined;

/** Returns the name of a component's Service, or that of the component if it has none. */
const serviceOf = ({ type, name, before, after }: Omit<Step, "op">): string =>
    (type === types.SERVICE_TYPE ? textOf((after ?? before)?.inputs, "service") : undefined) ?? name;

function bundle(component: Resource, own: readonly Resource[], byUrn: ReadonlyMap<string, Resource>): Bundle {
    const name = serviceOf(component);
    const of = (...tokens: readonly string[]): Resource[] => own.filter(({ type }) => tokens.includes(type));
    const listeners = of(...LISTENERS);
    const [instance] = of(...INSTANCES);
    const [reused] = of(types.REUSED_TYPE);
    return {
        subject: `${COMPONENTS[component.type]} ${name}`,
        name,
        component,
        contract: of(types.CONTRACT_TYPE)[0],
        instance,
        reused,
        shared: instance === undefined && reused === undefined ? sharedOf(listeners, byUrn) : undefined,
        listeners,
        groups: of(...GROUPS),
        backends: of(types.BACKENDS_TYPE).flatMap((one) => byGroup(one, component)),
        others: own.filter(({ type, urn }) => !NAMED.includes(type) && urn !== component.urn),
        all: byUrn,
    };
}

/** Returns the backends of each group as a resource of their own, with the change of its part. */
function byGroup(backends: Resource, component: Resource): Resource[] {
    const groups = [backends.before, backends.after].map((state) => recordOf(state?.inputs, "groups") ?? {});
    return [...new Set(groups.flatMap((one) => Object.keys(one)))].map((key) => {
        const partOf = (state: ResourceState | undefined): ResourceState | undefined => {
            const group = recordOf(state?.inputs, "groups", key);
            if (state === undefined || group === undefined) return undefined;
            const outputs = recordOf(state.outputs, "computed", key) ?? {};
            return { ...state, inputs: { ...state.inputs, ...group }, outputs };
        };
        const [before, after] = [partOf(backends.before), partOf(backends.after)];
        const inputs = [before, after].map((state) => state && [state.inputs["backends"]]);
        const change = backends.change === "update" ? changeBetween(inputs[0], inputs[1]) : backends.change;
        return { ...backends, name: `${component.name}/${key}`, change, before, after };
    });
}

function sharedOf(listeners: readonly Resource[], byUrn: ReadonlyMap<string, Resource>): Resource | undefined {
    const instances = [...byUrn.values()].filter(({ type }) => INSTANCES.includes(type));
    const states = listeners.map(({ before, after }) => after ?? before);
    const urns = states.flatMap((state) => state?.propertyDependencies["loadBalancerId"] ?? []);
    const ids = states.map((state) => textOf(state?.inputs, "loadBalancerId"));
    return (
        instances.find(({ urn }) => urns.includes(urn)) ??
        instances.find(({ before }) => before?.id !== undefined && ids.includes(before.id))
    );
}

/** Returns the key of a listener or group in its Service, as `tcp-80`: its name without that of the component. */
export function keyInService({ name }: Resource, { component }: Pick<Bundle, "component">): string {
    return name.startsWith(`${component.name}/`) ? name.slice(component.name.length + 1) : name;
}
