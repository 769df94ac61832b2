/** Rules about the reuse of instances: most select what a Service's contract says of its instance. */
import { z } from "zod";
import { UNKNOWN_REFERENCE } from "../../provider/service/annotations";
import { type ReuseRequest, type Tenant, tenantOf } from "../../provider/service/reuse";
import { collisions, describeCollision } from "../../provider/plan/reuse/tenants";
import { clbDocument, notesDocument } from "../../provider/schema/documents";
import type { CheckResult, Level, ResourceRule, Rule, RuleName, RuleOptions, SourcedRow } from "../rule";
import { resourceRule, type StackCheckResult, stackRule, when } from "../rule";
import type { ResourceSubject, ServiceEntry, Settled, StackSubject } from "../subjects";
import { isKnown, settledEach, TEXT_LIST, Unknown, UnknownInputError } from "../subjects";
import { CONTRACT_TYPE, NLB_LISTENER_TYPE } from "../../provider/schema/resource-types";
import { defined } from "../../provider/schema/defined";
import { isMapping, type Position, type ReuseCode } from "../../provider/diagnostics";
import type { ObservedLoadBalancer } from "../../provider/plan/observed";
import { checkReuse } from "../../provider/plan/reuse";
import { matches } from "../rule/evaluate";
import { changesOf } from "./immutability";

interface TenantEntry extends Tenant {
    readonly clusterId: string;
    /** True if its instance is made for it alone. */
    readonly own?: boolean;
    readonly position?: Position;
    readonly urn?: string;
}

/**
 * Returns a tenant for every Service that has an instance, its own or a reused instance.
 *
 * Listeners for ranges of ports are left out: tenants are compared port by port.
 */
const servicesOf = (stack: StackSubject): Settled<TenantEntry>[] =>
    settledEach(stack.services, (entry) => serviceTenant(entry, stack));

function serviceTenant({ service, urn, ...made }: ServiceEntry, stack: StackSubject): TenantEntry[] {
    if (!service.exposed) return [];
    const { settings, ports, shared, loadBalancerType } = service;
    const { id } = settings;
    if (id === UNKNOWN_REFERENCE) throw new UnknownInputError(["settings", "id"], id);
    const [namespace = "", name = ""] = service.name.split("/");
    const instance = shared ?? (id === undefined ? (made.instance ?? service.name) : stack.nameOfInstance(id));
    const tenant = tenantOf({ namespace, name, settings, ports, loadBalancerType }, instance, service.facts);
    const own = shared === undefined && id === undefined;
    return [{ ...tenant, clusterId: service.facts.clusterId, own, ...defined({ urn, position: service.at }) }];
}

/** Returns a tenant for every user-managed listener, which occupies its port. */
const listenersOf = (stack: StackSubject): Settled<TenantEntry>[] =>
    settledEach(
        stack.listeners.filter(({ resource }) => !stack.isManaged(resource)),
        ({ resource, instance }) => {
            const about = { service: `(listener ${resource.name})`, clusterId: "", instance, urn: resource.urn };
            return [{ ...about, listeners: [listenerOf(resource)], manageListeners: true, joinedGroups: [] }];
        },
    );

const PROTOCOL = z
    .string()
    .toLowerCase()
    .pipe(z.enum(["tcp", "udp", "http", "https", "tcpssl"]));

/** The schema of a port, which a program may give as a string. */
const PORT = z.coerce.number();

/** Returns protocol and port of a listener. A listener of a port range has port 0, which no Service uses. */
function listenerOf(listener: ResourceSubject): TenantEntry["listeners"][number] {
    const [protocol, port] =
        listener.type === NLB_LISTENER_TYPE ? ["listenerProtocol", "listenerPort"] : ["protocol", "frontendPort"];
    return { protocol: listener.get(protocol, PROTOCOL) ?? "tcp", port: listener.get(port, PORT) ?? 0 };
}

const divide = (tenants: readonly Settled<TenantEntry>[]) => ({
    known: tenants.filter(isKnown),
    unknown: tenants.filter((one) => one instanceof Unknown),
});

const REUSABLE = notesDocument("Which load balancers can be reused?");

/**
 * Requires that Services of different clusters on the same instance differ in namespace or name.
 *
 * Listeners and server groups are named after both: those of two clusters would have the same names.
 */
const names: Rule = stackRule("reuse-names", "high", "mandatory", {
    title: "Services of different clusters on one instance differ in namespace or name.",
    remedy: "Give one of the Services another name or namespace.",
    source: REUSABLE,
    options: z.object({
        others: TEXT_LIST.default([]).describe(
            "Services of other stacks on shared instances, each as `<id of the instance> <id of the cluster> " +
                "<namespace>/<name>`.",
        ),
    }),
    stack: (stack, config) => {
        const { known: all, unknown } = divide(servicesOf(stack));
        const known = all.filter(({ own }) => own !== true);
        const elsewhere = config.others.map((text) => {
            const [id = "", clusterId = "", service = ""] = text.split(/\s+/);
            return { instance: stack.nameOfInstance(id), clusterId, service };
        });
        const reports = known.flatMap(({ instance, service, clusterId, urn, position }, index): StackCheckResult[] => {
            const twin = [...elsewhere, ...known.slice(0, index)].find(
                (other) => other.instance === instance && other.service === service && other.clusterId !== clusterId,
            );
            if (twin === undefined) return [];
            const cause =
                `load balancer ${instance} serves a Service of this namespace and name in cluster ` +
                `${twin.clusterId} as well as in ${clusterId}`;
            const place = { subject: `Service ${service}`, ...defined({ position }) };
            return [{ place, names: [service], cause, urn }];
        });
        return [...reports, ...unknown];
    },
});

/**
 * Requires one user of a listener port. If two Services use it, the last overwrites the other, while both look healthy.
 */
const portClaimed: Rule = stackRule("reuse-port-claimed", "critical", "mandatory", {
    title: "No two Services, and no Service and user-managed listener, use the same listener port of an instance.",
    remedy:
        "Give one of them another port or another instance; to share traffic, let both join one user-managed " +
        "server group (vgroup-port) without managing listeners.",
    source: REUSABLE,
    stack: (stack) => {
        const { known, unknown } = divide([...servicesOf(stack), ...listenersOf(stack)]);
        // A Service in two clusters has two instances, or is reported by reuse-names.
        const found = collisions(known).filter(({ services: [one, other] }) => one !== other);
        const reports = found.map((collision): StackCheckResult => {
            const { instance, services } = collision;
            const other = known.find((tenant) => tenant.service === services[1] && tenant.instance === instance);
            const { cause, remedy } = describeCollision(collision);
            const place = { subject: `load balancer ${instance}`, ...defined({ position: other?.position }) };
            return { place, names: services, cause, remedy, urn: other?.urn };
        });
        return [...reports, ...unknown];
    },
});

/** The record in a contract: the request for an instance, and the instance as it was observed. */
const RECORDED = z.object({
    request: z.custom<ReuseRequest>(isMapping).exactOptional(),
    found: z.custom<ObservedLoadBalancer>(isMapping).exactOptional(),
});

/** Makes a rule that selects the diagnostics of a contract's instance with these codes. */
const contractRule = <Options extends RuleOptions>(
    name: RuleName,
    severity: Rule["severity"],
    level: Level,
    { codes, ...row }: SourcedRow<ResourceRule<Options>> & { readonly codes: readonly ReuseCode[] },
): ResourceRule<Options> => {
    const check = (contract: ResourceSubject): CheckResult[] => {
        const { request, found } = contract.get("reuse", RECORDED) ?? {};
        if (request === undefined) return [];
        return checkReuse(request, found)
            .filter(({ code }) => codes.includes(code))
            .map(({ cause, remedy }) => ({ cause, ...defined({ remedy }) }));
    };
    return resourceRule(name, severity, level, { source: REUSABLE, ...row, resources: { [CONTRACT_TYPE]: check } });
};

export const REUSE: readonly Rule[] = [
    // Without the annotation a Service requests an Internet-facing instance.
    contractRule("reuse-address-type", "high", "mandatory", {
        codes: ["address-type", "ip-version"],
        title: "A reused instance has the address type and IP version that the Service requests.",
        remedy: "Set address-type and ip-version to those of the instance, or name another instance.",
    }),
    // A cluster whose API server loses its instance has to be created again.
    contractRule("reuse-api-server", "critical", "mandatory", {
        codes: ["instance-of-api-server", "instance-denied"],
        title: "No Service uses the instance of an API server, or one that the platform team denies.",
        remedy: "Name another instance.",
        options: z.object({
            denied: TEXT_LIST.default([]).describe("Ids of instances that no Service may use; `*` matches any text."),
        }),
        service: ({ settings }, config) =>
            when(
                settings.id !== undefined && matches(settings.id, config.denied),
                `load balancer ${settings.id} is on the list of instances that no Service may use`,
            ),
    }),
    // A Service that moves to another instance does not release the former instance.
    resourceRule("reuse-changed", "critical", "mandatory", {
        title:
            "A Service keeps its instance: alibaba-cloud-loadbalancer-id is not added, changed or removed once the " +
            "Service has a load balancer.",
        remedy: "Restore alibaba-cloud-loadbalancer-id; to move, delete the Service and create it again.",
        source: REUSABLE,
        ...changesOf((field) => field === "id"),
    }),
    // Others use the attributes and tags of the instance too.
    contractRule("reuse-consequences", "medium", "advisory", {
        codes: ["instance-changed", "listeners-unmanaged", "vpc-unknown", "vpc-crossed"],
        title:
            "A reuse changes no attribute or tag of the instance, and manages every listener that the Service " +
            "needs.",
        remedy: "Remove the annotations that change the instance, or list the Service in this rule's `except`.",
        source: notesDocument("Load balancing update policies"),
    }),
    // The annotation replaces user-managed listeners on the Service's ports.
    contractRule("reuse-force-override", "high", "advisory", {
        codes: ["listener-replaced"],
        title: "Listeners of a reused instance are managed only where nothing else uses their ports.",
        remedy:
            'Set force-override-listeners to "false" and create the listeners yourself, unless the existing ones ' +
            "are no longer needed.",
        source: clbDocument("Use an existing CLB instance and force override listeners"),
    }),
    // A vServer group that is managed for a Service is deleted with it.
    contractRule("reuse-groups", "high", "mandatory", {
        codes: ["group-missing", "group-of-service", "group-unfit"],
        title: "The vServer groups that a Service joins exist and are user-managed.",
        remedy: "Create a vServer group in the console or in a program, and name it.",
        source: clbDocument("Reuse an existing vServer group"),
    }),
    // Such an instance is deleted with the Service for which it was created.
    contractRule("reuse-made-by-cluster", "critical", "mandatory", {
        codes: ["instance-of-cluster"],
        title: "No Service reuses an instance that a cluster created.",
        remedy: "Create an instance in the console or in a program, and name it.",
    }),
    contractRule("reuse-missing-instance", "high", "mandatory", {
        codes: ["instance-missing"],
        title: "The instance that a Service names exists.",
        remedy: "Correct alibaba-cloud-loadbalancer-id, or create the instance first.",
    }),
    names,
    // Ownership marks say for which Service an existing listener or server group is managed.
    contractRule("reuse-occupied", "critical", "mandatory", {
        codes: ["name-taken", "listener-of-service", "listener-redirect"],
        title: "Each server group name and listener on a reused instance is used by one Service only.",
        remedy: "Use another port, another name, or another instance.",
    }),
    // A CLB reaches backends of its own VPC only.
    contractRule("reuse-other-vpc", "high", "mandatory", {
        codes: ["vpc"],
        title: "A reused internal CLB is in the VPC of the cluster; an NLB may be in another.",
        remedy: "Name an internal CLB of the cluster's VPC, or an NLB.",
    }),
    portClaimed,
    // Immutable fields cannot be requested afterwards, and a locked instance cannot be changed.
    contractRule("reuse-unfit-instance", "high", "mandatory", {
        codes: ["instance-locked", "fixed-setting", "charge-type", "shared-performance", "bound-elsewhere"],
        title: "A reused instance meets what the Service requests.",
        remedy: "Remove the annotation that requests something else, or name another instance.",
    }),
];
