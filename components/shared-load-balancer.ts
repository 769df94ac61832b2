import { createRemnant, sharedName } from "./service/instance";
import { resourceGroupOf } from "./service/resource-group";
import { createHash } from "node:crypto";
import type * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import { applyRules, readTypedSettings } from "../provider/service/annotations";
import { defined, once } from "../provider/schema/defined";
import { markedProtectionReason } from "../provider/schema/names";
import { SHARED_TYPE } from "../provider/schema/resource-types";
import type { SettingName, Settings } from "../provider/schema/settings";
import * as clb from "../provider/clb/load-balancer";
import { type LoadBalancerRelease, ServiceContract } from "../provider/resources";
import { formatDiagnostics, formatSentences, isError, locate } from "../provider/diagnostics";
import { type Tenant, tenantOf } from "../provider/service/reuse";
import type { Service } from "../provider/service/service";
import { type Collision, collisionsWith, describeCollision, listenersByName } from "../provider/plan/reuse/tenants";
import { resolveAccount } from "./cluster/account";
import { anyOf, type NamesOf, requireArguments } from "./run/arguments";
import type { Cluster } from "./cluster/cluster";
import type { ClusterReads } from "./cluster/reads";
import { stackMark } from "./service/hooks";
import { requirePlain } from "./run/outputs";
import { chooseProviders } from "./cluster/providers";
import { originOf, termInputs } from "./service/contract";
import { chooseVSwitch, createClbInstance } from "./clb/load-balancer";

/** Settings that belong to the instance and not to one Service, by the names that annotations give them. */
export const INSTANCE_SETTINGS = [
    "addressType",
    "vswitchId",
    "instanceChargeType",
    "spec",
    "chargeType",
    "bandwidth",
    "masterZoneid",
    "slaveZoneid",
    "ip",
    "ipVersion",
    "additionalResourceTags",
    "name",
    "resourceGroupId",
    "deleteProtection",
    "modificationProtection",
    "preserveLbOnDelete",
] as const satisfies readonly SettingName[];

/** Settings of an instance that no Service owns. */
export type InstanceSettings = Pick<Settings, (typeof INSTANCE_SETTINGS)[number]>;

/** Arguments of {@link SharedLoadBalancer}. */
export interface SharedLoadBalancerArgs {
    /** The cluster whose Services use the instance. */
    readonly cluster: Cluster;
    /** As the annotations of one Service would say it. Default: an Internet-facing instance that is paid by usage. */
    readonly settings?: InstanceSettings;
    /** Create-only settings that may change this time, at the price of a new instance and address. Default none. */
    readonly allowReplacement?: readonly string[];
    /** Region of the instance. Default: that of the cluster's account. */
    readonly region?: string;
}

const SHARED_NAMES: NamesOf<SharedLoadBalancerArgs> = {
    ...anyOf("cluster", "allowReplacement", "region"),
    settings: anyOf(...INSTANCE_SETTINGS),
};

/**
 * Load balancer for many Services of a program: pass it to each of them as `loadBalancer`. It belongs to the program,
 * not to a Service, and stays when a Service is deleted. Each listener port belongs to one Service, and the
 * construction of a second Service with the port is refused.
 *
 * Source: "Notes on service load balancing configuration", which load balancers can be reused.
 */
export class SharedLoadBalancer extends pulumi.ComponentResource {
    readonly contract: ServiceContract;
    readonly loadBalancer: slb.ApplicationLoadBalancer;
    readonly release: LoadBalancerRelease;
    readonly address: pulumi.Output<string>;
    /** Name that tells it from others of the program. */
    readonly name: string;
    readonly model: clb.ClbLoadBalancer;
    readonly #cluster: Cluster;

    /**
     * @param name unique name, which is also that of the instance, unless the settings name it.
     * @throws RunError with every problem of the settings at once.
     */
    constructor(name: string, args: SharedLoadBalancerArgs, opts?: pulumi.ComponentResourceOptions) {
        requireArguments(`SharedLoadBalancer ${name}`, args, SHARED_NAMES, ["cluster"]);
        const { cluster, allowReplacement = [] } = args;
        const subject = `Shared load balancer ${name}`;
        requirePlain(subject, { settings: args.settings, allowReplacement });
        const settings = { name, ...readSettings(subject, args) };
        const account = resolveAccount(cluster.account, args.region, subject);
        const providers = chooseProviders(cluster, account, opts);
        super(SHARED_TYPE, name, { clusterId: cluster.ids.clusterId, settings }, providers.options);
        this.name = name;
        this.#cluster = cluster;
        this.model = clb.buildInstance(settings, cluster.facts, []);

        const component = { parent: this, name, subject, account };
        const vswitchId = chooseVSwitch(component, name, this.model, defined({ vswitches: cluster.ids.vswitches }));
        const resourceGroup = resourceGroupOf(cluster, settings);
        this.contract = new ServiceContract(
            name,
            {
                service: name,
                subject,
                mark: this.model.name ?? name,
                origin: originOf(cluster, account, { moves: allowReplacement.includes("identity"), ofCluster: false }),
                problems: providers.problems,
                ...termInputs({
                    requested: {
                        ...clb.immutableFields(settings, cluster.facts),
                        clusterId: cluster.ids.clusterId,
                        ...defined({ vswitchId }),
                    },
                    initial: { ...resourceGroup.initial, ...clb.initialCharge(settings, cluster.facts) },
                    askedBy: clb.askedBy(settings),
                }),
                allowReplacement: args.allowReplacement,
            },
            { parent: this },
        );
        const identity = { loadBalancerName: this.model.name ?? name, vswitchId };
        const owner = ownerOf(name);
        const protectionReason = markedProtectionReason(owner);
        const named = { loadBalancerType: "clb", name: identity.loadBalancerName, owner } as const;
        const remnant = createRemnant(component, this.model, named, [this.contract]);
        const { loadBalancer, release } = createClbInstance(
            component,
            this.model,
            { identity, remnant, protectionReason, tags: {}, contract: this.contract, resourceGroup, allowReplacement },
            // Two instances of the same name could not be distinguished.
            { dependsOn: remnant, deleteBeforeReplace: true },
        );
        this.loadBalancer = loadBalancer;
        this.release = release;
        this.address = loadBalancer.address;
        this.registerOutputs({ address: this.address, loadBalancerId: loadBalancer.id });
    }

    /**
     * Port table of the instance: the Service, as `namespace/name`, of each listener, as `tcp:80`. Without Services
     * that are constructed later.
     */
    get ports(): Readonly<Record<string, string>> {
        const instance = sharedName(this);
        return listenersByName(tenantsOf(this.#cluster).filter((tenant) => tenant.instance === instance));
    }
}

/** Tells an interrupted create of this very component from a user-managed instance of the same name. */
function ownerOf(name: string): string {
    return `s${createHash("sha256").update(`${stackMark()}/${name}`).digest("hex")}`.slice(0, 32);
}

function readSettings(subject: string, { settings = {}, cluster }: SharedLoadBalancerArgs): Settings {
    const read = readTypedSettings(settings);
    const rules = applyRules({
        type: "clb",
        settings: read.settings,
        attempted: new Set(read.paths.keys()),
        facts: cluster.facts,
        ports: undefined,
        externalTrafficPolicy: "Cluster",
        protocols: undefined,
    });
    const origin = { subject, settings: read.paths };
    const diagnostics = [...read.diagnostics, ...rules].map((diagnostic) => locate(diagnostic, origin));
    if (diagnostics.some(isError)) throw new pulumi.RunError(formatDiagnostics(diagnostics));
    return read.settings;
}

/** Services of a program on shared instances, by the reads of their cluster, which all its objects share. */
const tenants = new WeakMap<ClusterReads, Tenant[]>();

const tenantsOf = ({ reads }: Cluster): Tenant[] => once(tenants, reads, () => []);

/** Records a Service on a shared instance. Returns the listeners that collide with those of earlier Services. */
function admit(cluster: Cluster, tenant: Tenant): Collision[] {
    const earlier = tenantsOf(cluster);
    const found = collisionsWith(earlier, tenant);
    if (found.length === 0) earlier.push(tenant);
    return found;
}

/**
 * Refuses a Service with a listener that another Service of the program has on the same instance, or with a setting
 * that belongs to the shared instance.
 *
 * @param name of the Service, for people.
 * @throws RunError with every problem at once.
 */
export function checkTenancy(
    service: Service,
    name: string,
    { cluster, loadBalancer }: { readonly cluster: Cluster; readonly loadBalancer?: SharedLoadBalancer },
): void {
    const instance = loadBalancer === undefined ? service.settings.id : sharedName(loadBalancer);
    if (instance === undefined) return;
    const problems = [
        ...(loadBalancer === undefined ? [] : misplaced(service, name, loadBalancer)),
        ...admit(cluster, { ...tenantOf(service, instance, cluster.facts), service: name }).map((one) =>
            formatSentences(describeCollision(one)),
        ),
    ];
    if (problems.length > 0) throw new pulumi.RunError(problems.join("\n"));
}

/**
 * Returns misplaced settings. Address type and IP version may be repeated, but everything else of the instance is said
 * where it is made.
 */
function misplaced(service: Service, subject: string, { model, name }: SharedLoadBalancer): string[] {
    const { settings } = service;
    if (service.loadBalancerType === "nlb")
        return [
            `Service ${subject} asks for an NLB, but the shared load balancer ${name} is a CLB. ` +
                "Remedy: leave out loadBalancerClass and loadBalancerType, " +
                "or leave out loadBalancer and name an NLB (alibaba-cloud-loadbalancer-id).",
        ];
    const repeated: Record<string, string> = { addressType: model.addressType, ipVersion: model.ipVersion };
    const wrong = [...INSTANCE_SETTINGS, "id" as const, "forceOverrideListeners" as const].filter(
        (field) => settings[field] !== undefined && settings[field] !== repeated[field],
    );
    return wrong.map(
        (field) =>
            `Service ${subject}: ${field} belongs to the shared load balancer ${name}. ` +
            `Remedy: remove it here, or set it on ${name}.`,
    );
}
