import { keyOfSetting, settingsOfPayBySpec } from "../../annotations";
import { collector, diagnostic, type Diagnostic, type ReuseCode } from "../../diagnostics";
import {
    CROSS_VPC_SINCE,
    type ObservedLoadBalancer,
    type ReusedAttributes,
    type ReuseRequest,
} from "../../model/observed";
import type { Settings } from "../../schema/settings";
import { CLUSTER_TAG, OWNER_TAG } from "../../model/names";
import { SOURCES, termsFor } from "./terms";
import { nameOf, sharePort } from "./listeners";
import { defined } from "../../schema/defined";

/** Where a Kubernetes API server listens. */
const API_SERVER = { protocol: "tcp", port: 6443 } as const;

type Judge = (request: ReuseRequest, found: ObservedLoadBalancer) => Diagnostic<ReuseCode>[];

/** Whether the instance is one that a Service may use at all. */
export const checkInstance: Judge = (request, found) => [
    ...judgeOrigin(request, found),
    ...judgeKind(request, found),
    ...judgeNetwork(request, found),
    ...judgeFixed(request, found),
    ...judgeCharge(request, found),
    ...judgeBinding(request, found),
];

/** Only instances of users can be reused. A tag of a cluster says that it is not one, whatever its value. */
const judgeOrigin: Judge = (request, { id, tags, listeners }) => {
    const report = collector<ReuseCode>("instance-of-cluster", { source: SOURCES.WHICH });
    const marks = [OWNER_TAG, CLUSTER_TAG].filter((key) => key in tags);
    if (marks.length > 0) {
        report.error(
            "id",
            `load balancer ${id} was made by a cluster and cannot be reused: it carries the tag ${marks.map((key) => `${key}=${tags[key] ?? ""}`).join(", ")}`,
            "create an instance of your own, in the console or in a program, and name that; the Service that an instance was made for deletes it",
        );
    }
    const apiServer = listeners.find((listener) => listener.protocol === "tcp" && sharePort(listener, API_SERVER));
    if (apiServer !== undefined) {
        report.error(
            "id",
            `load balancer ${id} listens on ${nameOf(API_SERVER)}, so it is taken for the one of an API server, which cannot be reused`,
            "name another instance; whoever loses the API server's has to create the cluster anew",
            { code: "instance-of-api-server" },
        );
    }
    if (request.denied.includes(id)) {
        report.error(
            "id",
            `load balancer ${id} is on the list of instances that no Service may use`,
            "name another instance, or take it off the list (deniedLoadBalancers)",
            { code: "instance-denied" },
        );
    }
    return [...report.diagnostics];
};

/** States that an instance does not come back from. */
const ENDS: Readonly<Record<string, string>> = { createfailed: "could not be created", deleting: "is being deleted" };

const judgeKind: Judge = (request, { id, addressType, ipVersion, status }) => {
    const findings: Diagnostic<ReuseCode>[] = [];
    // Where the Service may switch the instance, what it states is a change of that, and reported with the others.
    if (
        addressType !== undefined &&
        addressType !== request.addressType &&
        request.attributes.addressType === undefined
    ) {
        findings.push(
            diagnostic({
                code: "address-type",
                severity: "error",
                about: "addressType",
                cause: `load balancer ${id} has the address type ${addressType}, but the Service asks for ${request.addressType}`,
                remedy: `set alibaba-cloud-loadbalancer-address-type to "${addressType}" if that is what you want, or name another instance`,
                source: SOURCES.WHICH,
            }),
        );
    }
    if (ipVersion !== undefined && request.ipVersion !== undefined && ipVersion !== request.ipVersion) {
        findings.push(
            diagnostic({
                code: "ip-version",
                severity: "error",
                about: "ipVersion",
                cause: `load balancer ${id} has the IP version ${ipVersion}, but the Service asks for ${request.ipVersion}`,
                remedy: `set alibaba-cloud-loadbalancer-ip-version to "${ipVersion}", or name another instance`,
                source: termsFor(request).EXISTING,
            }),
        );
    }
    const end = status === undefined ? undefined : ENDS[status];
    if (end !== undefined) {
        const message = `load balancer ${id} ${end}, so that it cannot be used`;
        findings.push(
            diagnostic({
                code: "instance-locked",
                severity: "error",
                about: "id",
                cause: message,
                remedy: "name another instance",
                source: termsFor(request).EXISTING,
            }),
        );
    }
    if (status === "locked") {
        findings.push(
            diagnostic({
                code: "instance-locked",
                severity: "error",
                about: "id",
                cause: `load balancer ${id} is locked by the cloud, so nothing of it can be changed`,
                remedy: "settle what locks it (an unpaid bill, in most cases), or name another instance",
                source: SOURCES.FAQ,
            }),
        );
    }
    return findings;
};

const judgeNetwork: Judge = (request, found) =>
    request.loadBalancerType === "nlb" ? judgeCrossing(request, found) : judgeSameVpc(request, found);

/** An NLB may be in another VPC. Its server groups are made there, so that the way to the backends is the user's to make. */
const judgeCrossing: Judge = (request, { id, vpcId }) => {
    if (vpcId === undefined || request.vpcId === undefined || vpcId === request.vpcId) {
        return [];
    }
    const where = `load balancer ${id} is in ${vpcId}, but the cluster is in ${request.vpcId}`;
    if (!request.crossesVpcs) {
        const message = `${where}; Cloud Controller Manager ${CROSS_VPC_SINCE} or later is needed for that`;
        return [
            diagnostic({
                code: "vpc",
                severity: "error",
                about: "id",
                cause: message,
                remedy: "name an instance of the cluster's VPC, or upgrade",
                source: SOURCES.WHICH,
            }),
        ];
    }
    const bound = request.groupType === "Instance";
    const ends = bound ? "; a server group of instances holds only those of its own VPC" : "";
    const remedy = `see to it that the VPCs reach each other${bound ? ', and set alibaba-cloud-loadbalancer-server-group-type to "Ip"' : ""}`;
    return [
        diagnostic({
            code: "vpc-crossed",
            severity: "warning",
            about: {},
            cause: `${where}: server groups are made in ${vpcId}${ends}`,
            remedy,
            source: SOURCES.WHICH,
        }),
    ];
};

/** A CLB reaches backends of its own VPC alone; one that faces the Internet has none and takes that of its backends. */
const judgeSameVpc: Judge = (request, { id, addressType, vpcId }) => {
    if (addressType !== "intranet" || vpcId === undefined || vpcId === request.vpcId) {
        return [];
    }
    if (request.vpcId === undefined) {
        const message = `whether load balancer ${id}, which is in ${vpcId}, is in the VPC of the cluster is not known`;
        return [
            diagnostic({
                code: "vpc-unknown",
                severity: "warning",
                about: {},
                cause: message,
                remedy: "name the VPC of the cluster (vpcId), so that it can be checked",
                source: SOURCES.WHICH,
            }),
        ];
    }
    return [
        diagnostic({
            code: "vpc",
            severity: "error",
            about: "id",
            cause: `load balancer ${id} is in ${vpcId}, but the cluster is in ${request.vpcId}; a CLB cannot be reused across VPCs`,
            remedy: "name an internal instance of the cluster's VPC",
            source: SOURCES.WHICH,
        }),
    ];
};

/** What is fixed at creation must be specified as it is, or not at all. */
const judgeFixed: Judge = ({ fixed }, found) => {
    const actual: Record<keyof typeof fixed, string | undefined> = {
        masterZoneid: found.masterZoneId,
        slaveZoneid: found.slaveZoneId,
        resourceGroupId: found.resourceGroupId,
        ip: found.address,
    };
    const settings = ["masterZoneid", "slaveZoneid", "resourceGroupId", "ip"] as const;
    return settings.flatMap((setting): Diagnostic<ReuseCode>[] => {
        const [value, desired] = [actual[setting], fixed[setting]];
        if (value === undefined || desired === undefined || value === desired) {
            return [];
        }
        const message = `${setting} of load balancer ${found.id} is "${value}" and cannot become "${desired}": it is fixed when an instance is created`;
        return [
            diagnostic({
                code: "fixed-setting",
                severity: "error",
                about: setting,
                cause: message,
                remedy: "remove the annotation, or name another instance",
                source: SOURCES.POLICY,
            }),
        ];
    });
};

const judgeCharge: Judge = ({ attributes, attachesPods }, { id, instanceChargeType, spec }) => {
    const asking = instanceChargeType === "PayByCLCU" ? settingsOfPayBySpec(settingsOf(attributes)) : [];
    const [first] = asking;
    if (first !== undefined) {
        const names = new Intl.ListFormat("en").format(asking.map(keyOfSetting));
        return [
            diagnostic({
                code: "charge-type",
                severity: "error",
                about: first,
                cause: `load balancer ${id} is paid by usage (PayByCLCU) and cannot go back to PayBySpec, which ${names} ${asking.length === 1 ? "needs" : "need"}`,
                remedy: `remove ${names}, or name another instance`,
                source: "FAQ about Services, errors: billing method",
            }),
        ];
    }
    if (
        attachesPods &&
        instanceChargeType === "PayBySpec" &&
        (spec === undefined || spec === "") &&
        attributes.spec === undefined
    ) {
        const message = `load balancer ${id} is a shared-performance instance, which takes no pods as backends`;
        const remedy =
            'set alibaba-cloud-loadbalancer-spec to a performance-guaranteed type such as "slb.s1.small", or use backend-type: ecs';
        return [
            diagnostic({
                code: "shared-performance",
                severity: "error",
                about: "spec",
                cause: message,
                remedy,
                source: "FAQ about Services, errors: ENI backends",
            }),
        ];
    }
    return [];
};

/** The settings of charges that stand behind attributes. */
const settingsOf = ({ instanceChargeType, spec, internetChargeType, bandwidth }: ReusedAttributes): Settings => ({
    ...defined({ instanceChargeType, spec }),
    ...(internetChargeType === "PayByBandwidth" ? { chargeType: "paybybandwidth" } : {}),
    ...defined({ bandwidth }),
});

/** A Service whose status names another address is served by another instance. */
const judgeBinding: Judge = ({ boundTo }, { id, address }) => {
    if (boundTo.length === 0 || address === undefined || boundTo.includes(address)) {
        return [];
    }
    return [
        diagnostic({
            code: "bound-elsewhere",
            severity: "error",
            about: "id",
            cause: `the Service is bound to ${boundTo.join(", ")} and cannot be bound to ${address} of load balancer ${id}`,
            remedy: "delete the Service and create it again; its address changes",
            source: 'FAQ about Services, "errors: the Service is already bound"',
        }),
    ];
};
