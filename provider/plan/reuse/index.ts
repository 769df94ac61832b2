/** Reuse of an existing instance: what keeps a Service from it, and what the Service changes. Pure functions. */
import { collector, type Diagnostic, isError, type ReuseCode } from "../../diagnostics";
import { defined } from "../../schema/defined";
import { attributeName } from "../../schema/difference";
import { listenerName, sharePort } from "../../schema/listener-address";
import { CLUSTER_TAG, clusterUidTag, OWNER_TAG, sameOwner } from "../../schema/names";
import type { ObservedLoadBalancer } from "../observed";
import type { SettingName, Settings } from "../../schema/settings";
import { CCM_SINCE } from "../../schema/versions";
import { keyOfSetting, settingsOfPayBySpec } from "../../service/annotations";
import type { ReusedAttributes, ReuseRequest } from "../../service/reuse";
import { observedFields } from "../immutability";
import { compareReused } from "./changes";
import { type Judge, judgeListeners, judgeServerGroups, ownershipMark, SOURCES, termsFor } from "./ownership";

/** Warnings that announce what an update does, and what it does not manage. */
const ANNOUNCEMENTS: readonly ReuseCode[] = ["instance-changed", "listener-replaced", "listeners-unmanaged"];

/**
 * Returns all errors and warnings of a reuse. A reuse with errors changes nothing, so no change is announced.
 *
 * @param found undefined if there is no such instance.
 * @param moves true if the Service may leave the instance to which it is bound. Default false.
 */
export function checkReuse(
    request: ReuseRequest,
    found: ObservedLoadBalancer | undefined,
    moves = false,
): Diagnostic<ReuseCode>[] {
    const report = collector<ReuseCode>("instance-missing", { source: SOURCES.WHICH });
    if (found === undefined) {
        const cause = `there is no load balancer ${request.loadBalancerId} in this region`;
        const remedy = "correct alibaba-cloud-loadbalancer-id, or create the instance first";
        report.error("id", cause, remedy, { source: termsFor(request).EXISTING });
    } else {
        const network = request.loadBalancerType === "nlb" ? judgeCrossing : judgeSameVpc;
        const binding = moves ? [] : [judgeBinding];
        const instance = [judgeOrigin, judgeType, network, judgeFixed, judgeCharge, ...binding];
        const others = [judgeClusterId, judgeListeners, judgeServerGroups, judgeChanges, judgeUnmanaged];
        for (const judge of [...instance, ...others]) judge(report, request, found);
    }
    const isRefused = report.diagnostics.some(isError);
    return report.diagnostics.filter(({ code }) => !isRefused || !ANNOUNCEMENTS.includes(code));
}

/** Names and marks contain the cluster's id. */
const judgeClusterId: Judge = (report, { clusterId, clusterUid }, { id, tags }) => {
    const tag = clusterUidTag(clusterId);
    const other = tags[tag];
    if (other === undefined || clusterUid === undefined || other === clusterUid) return;
    report.error(
        "id",
        `load balancer ${id} is used by the cluster ${other} under the clusterId "${clusterId}" already, but ` +
            `this run reaches the cluster ${clusterUid}: each would take the other's listeners and server groups ` +
            "for its own",
        `give each cluster the id that ACK shows for it; if the cluster ${other} is gone, delete its listeners ` +
            `and groups from the instance, and its tag ${tag}`,
        { code: "cluster-id-taken" },
    );
};

const judgeChanges: Judge = (report, request, found) => {
    const changes = compareReused(request, found).map(
        ({ attribute, observed, desired }) =>
            `${attributeName(attribute)} ${observed === "-" ? "unset" : `"${observed}"`} => "${desired}"`,
    );
    if (changes.length > 0)
        report.warning(
            {},
            `load balancer ${found.id}, which is not this Service's alone, will be changed: ${changes.join(", ")}`,
            "remove the annotations that say so, if that is not meant",
            { code: "instance-changed", source: SOURCES.POLICY },
        );
};

/** Warns until a user-managed listener forwards to a group of the Service. */
const judgeUnmanaged: Judge = (report, request, { listeners, serverGroups }) => {
    const { manageListeners, joinedGroups, loadBalancerId } = request;
    const mark = ownershipMark(request);
    const isServed = serverGroups.some(
        ({ id, name }) => sameOwner(name, mark) && listeners.some(({ serverGroupId }) => serverGroupId === id),
    );
    if (manageListeners || isServed) return;
    const unbound = request.listeners.filter(({ port }) => !joinedGroups.some((joined) => joined.port === port));
    if (unbound.length === 0) return;
    const ports = unbound.map(listenerName).join(", ");
    report.warning(
        "forceOverrideListeners",
        `listeners of load balancer ${loadBalancerId} are not managed: for ${ports} only ` +
            `${termsFor(request).group}s and their backends are`,
        'point listeners of yours to the groups, or set alibaba-cloud-loadbalancer-force-override-listeners to "true"',
        { code: "listeners-unmanaged", source: SOURCES.POLICY },
    );
};

const API_SERVER = { protocol: "tcp", port: 6443 } as const;

/** Only user-managed instances can be reused. Tags of a cluster mark its instances, whatever their value. */
const judgeOrigin: Judge = (report, request, { id, tags, listeners }) => {
    const marks = [OWNER_TAG, CLUSTER_TAG].filter((key) => key in tags).map((key) => `${key}=${tags[key] ?? ""}`);
    if (marks.length > 0)
        report.error(
            "id",
            `load balancer ${id} was made by a cluster and cannot be reused: it carries the tag ${marks.join(", ")}`,
            "create an instance of your own, in the console or in a program, and name that; the Service that an " +
                "instance was made for deletes it",
            { code: "instance-of-cluster" },
        );
    if (listeners.some((listener) => listener.protocol === "tcp" && sharePort(listener, API_SERVER)))
        report.error(
            "id",
            `load balancer ${id} listens on ${listenerName(API_SERVER)}, so it is taken for the one of an API ` +
                "server, which cannot be reused",
            "name another instance; the cluster cannot be used without the load balancer of its API server",
            { code: "instance-of-api-server" },
        );
    if (request.denied.includes(id))
        report.error(
            "id",
            `load balancer ${id} is on the list of instances that no Service may use`,
            "name another instance, or take it off the list (deniedLoadBalancers)",
            { code: "instance-denied" },
        );
};

const ENDS: Readonly<Record<string, string>> = { createfailed: "could not be created", deleting: "is being deleted" };

const judgeType: Judge = (report, request, { id, addressType, ipVersion, status }) => {
    // An address type that the Service may change is reported with the other changes.
    const fixedType = request.attributes.addressType === undefined;
    if (fixedType && addressType !== undefined && addressType !== request.addressType)
        report.error(
            "addressType",
            `load balancer ${id} has the address type ${addressType}, but the Service asks for ${request.addressType}`,
            `set alibaba-cloud-loadbalancer-address-type to "${addressType}" if that is what you want, or name ` +
                "another instance",
            { code: "address-type" },
        );
    const source = termsFor(request).EXISTING;
    if (ipVersion !== undefined && request.ipVersion !== undefined && ipVersion !== request.ipVersion)
        report.error(
            "ipVersion",
            `load balancer ${id} has the IP version ${ipVersion}, but the Service asks for ${request.ipVersion}`,
            `set alibaba-cloud-loadbalancer-ip-version to "${ipVersion}", or name another instance`,
            { code: "ip-version", source },
        );
    const end = status === undefined ? undefined : ENDS[status];
    if (end !== undefined)
        report.error("id", `load balancer ${id} ${end} and cannot be used`, "name another instance", {
            code: "instance-locked",
            source,
        });
    if (status === "locked")
        report.error(
            "id",
            `load balancer ${id} is locked by the cloud, so nothing of it can be changed`,
            "resolve the lock (usually an unpaid bill), or name another instance",
            { code: "instance-locked", source: SOURCES.FAQ },
        );
};

/** An NLB may be in another VPC. Its server groups are created there, and the user connects the VPCs. */
const judgeCrossing: Judge = (report, { vpcId: clusterVpc, crossesVpcs, groupType }, { id, vpcId }) => {
    if (vpcId === undefined || clusterVpc === undefined || vpcId === clusterVpc) return;
    const where = `load balancer ${id} is in ${vpcId}, but the cluster is in ${clusterVpc}`;
    if (!crossesVpcs) {
        report.error(
            "id",
            `${where}; Cloud Controller Manager ${CCM_SINCE.crossVpc} or later is needed for that`,
            "name an instance of the cluster's VPC, or upgrade",
            { code: "vpc" },
        );
        return;
    }
    const bound = groupType === "Instance";
    report.warning(
        {},
        `${where}: server groups are made in ` +
            `${vpcId}${bound ? "; a server group of instances holds only those of its own VPC" : ""}`,
        "see to it that the VPCs reach each " +
            `other${bound ? ', and set alibaba-cloud-loadbalancer-server-group-type to "Ip"' : ""}`,
        { code: "vpc-crossed" },
    );
};

/**
 * Judges the VPC of a CLB, which reaches backends of its VPC only. A public CLB has no VPC and takes that of its
 * backends.
 */
const judgeSameVpc: Judge = (report, request, { id, addressType, vpcId }) => {
    if (addressType !== "intranet" || vpcId === undefined || vpcId === request.vpcId) return;
    if (request.vpcId === undefined)
        report.warning(
            {},
            `whether load balancer ${id}, which is in ${vpcId}, is in the VPC of the cluster is not known`,
            "name the VPC of the cluster (vpcId), which allows the check",
            { code: "vpc-unknown" },
        );
    else
        report.error(
            "id",
            `load balancer ${id} is in ${vpcId}, but the cluster is in ${request.vpcId}; a CLB cannot be reused ` +
                "across VPCs",
            "name an internal instance of the cluster's VPC",
            { code: "vpc" },
        );
};

/** Immutable settings must be those of the instance. */
const judgeFixed: Judge = (report, { fixed }, found) => {
    const observed = observedFields(found);
    for (const [setting, desired] of Object.entries(fixed)) {
        const value = observed[setting];
        if (value !== undefined && value !== desired)
            report.error(
                setting as SettingName,
                `${setting} of load balancer ${found.id} is "${value}" and cannot become "${desired}": it is ` +
                    "fixed when an instance is created",
                "remove the annotation, or name another instance",
                { code: "fixed-setting", source: SOURCES.POLICY },
            );
    }
};

const judgeCharge: Judge = (report, { attributes, attachesPods }, found) => {
    if (found.kind === "nlb") return;
    const { id, instanceChargeType, spec = "" } = found;
    const asking = instanceChargeType === "PayByCLCU" ? settingsOfPayBySpec(settingsOf(attributes)) : [];
    const [first] = asking;
    if (first !== undefined) {
        const names = new Intl.ListFormat("en").format(asking.map(keyOfSetting));
        report.error(
            first,
            `load balancer ${id} is paid by usage (PayByCLCU) and cannot go back to PayBySpec, which ${names} ` +
                `${asking.length === 1 ? "needs" : "need"}`,
            `remove ${names}, or name another instance`,
            { code: "charge-type", source: "FAQ about Services, errors: billing method" },
        );
    } else if (attachesPods && instanceChargeType === "PayBySpec" && spec === "" && attributes.spec === undefined) {
        report.error(
            "spec",
            `load balancer ${id} is a shared-performance instance, which takes no pods as backends`,
            'set alibaba-cloud-loadbalancer-spec to a performance-guaranteed type such as "slb.s1.small", or ' +
                "use backend-type: ecs",
            { code: "shared-performance", source: "FAQ about Services, errors: ENI backends" },
        );
    }
};

const settingsOf = ({ instanceChargeType, spec, internetChargeType, bandwidth }: ReusedAttributes): Settings => ({
    ...defined({ instanceChargeType, spec, bandwidth }),
    ...(internetChargeType === "PayByBandwidth" ? { chargeType: "paybybandwidth" } : {}),
});

/** A Service with another address in its status has another instance. */
const judgeBinding: Judge = (report, { boundTo }, { id, address }) => {
    if (boundTo.length === 0 || address === undefined || boundTo.includes(address)) return;
    report.error(
        "id",
        `the Service is bound to ${boundTo.join(", ")} and cannot be bound to ${address} of load balancer ${id}`,
        "delete the Service and create it again; its address changes",
        { code: "bound-elsewhere", source: 'FAQ about Services, "errors: the Service is already bound"' },
    );
};
