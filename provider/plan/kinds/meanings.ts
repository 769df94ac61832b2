/** What the same Service does differently on the other kind of load balancer, beyond values and defaults. */
import { keyOfSetting } from "../../annotations";
import { type LoadBalancerType, otherType } from "../../schema/load-balancer-type";
import type { KindDifference, KindSubject } from "./difference";

/** A text for each kind of load balancer; undefined where the aspect does not concern the Service. */
interface Aspect {
    readonly kind: KindDifference["kind"];
    readonly subject: string;
    readonly text: (service: KindSubject, type: LoadBalancerType) => string | undefined;
    /** By the kind that the Service is to have. */
    readonly remedy: Readonly<Record<LoadBalancerType, string>>;
}

const both = (remedy: string): Aspect["remedy"] => ({ clb: remedy, nlb: remedy });

const ASPECTS: readonly Aspect[] = [
    {
        kind: "required",
        subject: keyOfSetting("zoneMaps"),
        text: ({ settings }, type) =>
            settings.zoneMaps !== undefined || settings.id !== undefined
                ? undefined
                : type === "nlb"
                  ? "required: at least two zones, each with a vSwitch"
                  : "not known",
        remedy: both("set zone-maps: <zone>:<vSwitch>,<zone>:<vSwitch>"),
    },
    {
        kind: "value",
        subject: keyOfSetting("id"),
        text: ({ settings }, type) =>
            settings.id === undefined ? undefined : type === "clb" ? "names a CLB (lb-…)" : "names an NLB (nlb-…)",
        remedy: both("name an instance of the new kind, or remove it to get a managed one"),
    },
    {
        kind: "value",
        subject: keyOfSetting("vgroupPort"),
        text: ({ settings }, type) =>
            settings.vgroupPort === undefined
                ? undefined
                : type === "clb"
                  ? "names vServer groups (rsp-…)"
                  : "names server groups of NLB (sgp-…)",
        remedy: both("name server groups of the new kind, or remove it"),
    },
    {
        kind: "value",
        subject: keyOfSetting("certId"),
        text: ({ settings }, type) =>
            settings.certId === undefined
                ? undefined
                : type === "clb"
                  ? "id of a certificate in CLB's own list"
                  : "id of Certificate Management Service",
        remedy: both("name the same certificate by its id there"),
    },
    {
        kind: "meaning",
        subject: "address",
        text: (_, type) => (type === "clb" ? "one IP address" : "a DNS name, with an address in each zone"),
        remedy: {
            nlb: "let clients use the DNS name (a CNAME record); those that know only the IP address have to change",
            clb: "let clients use the IP address (an A record)",
        },
    },
    {
        kind: "meaning",
        subject: "the client's address, as backends see it",
        text: clientAddress,
        remedy: both(
            "look at what reads it: logs, allow lists and rate limits. externalTrafficPolicy Local, pods as backends, preserve-client-ip and proxy-protocol decide about it",
        ),
    },
    {
        kind: "meaning",
        subject: "health checks come from",
        text: (_, type) => (type === "clb" ? "100.64.0.0/10" : "addresses in the vSwitches of zone-maps"),
        remedy: both("let security groups and network policies of the backends admit them"),
    },
    {
        kind: "meaning",
        subject: "health checks of UDP listeners",
        text: ({ settings, protocols }, type) =>
            !protocols.includes("udp") || settings.healthCheckType !== undefined
                ? undefined
                : type === "clb"
                  ? "by UDP"
                  : "by a TCP connection to the same port",
        remedy: {
            nlb: "set health-check-type: udp, or health-check-connect-port to a TCP port",
            clb: "none needed",
        },
    },
    {
        kind: "meaning",
        subject: "health checks are set",
        text: ({ protocols }, type) =>
            protocols.length < 2 ? undefined : type === "clb" ? "per listener" : "per server group",
        remedy: both("none needed: the annotations are the same"),
    },
    {
        kind: "meaning",
        subject: "spec.loadBalancerSourceRanges",
        text: ({ sourceRanges }, type) =>
            sourceRanges.length === 0
                ? undefined
                : type === "clb"
                  ? "an access control list of the listeners"
                  : "a security group of the whole load balancer",
        remedy: both("none needed: the ranges that may connect are the same"),
    },
    {
        kind: "meaning",
        subject: "calls from inside the cluster to the load balancer",
        text: (_, type) => (type === "clb" ? "answered by the node" : "leave the node"),
        remedy: both(
            "call the Service by its name in the cluster instead. A node knows a CLB's address and answers itself, with externalTrafficPolicy Local only where it has a pod; an NLB has a name, which leads to the load balancer",
        ),
    },
];

/** Who backends take for the client. kube-proxy replaces the client's address where a node may forward to another one. */
function clientAddress(service: KindSubject, type: LoadBalancerType): string {
    const { settings, protocols, externalTrafficPolicy, backendType } = service;
    const direct = backendType === "eni" || externalTrafficPolicy === "Local";
    const texts = protocols.map((protocol) => {
        if (type === "clb" && (protocol === "http" || protocol === "https")) return "the header X-Forwarded-For";
        const kept = type === "clb" || (protocol !== "tcpssl" && settings.preserveClientIp !== "off");
        if (!kept) return "the load balancer's address (proxy-protocol has the client's)";
        return direct ? "the client's address" : "a node's address (externalTrafficPolicy Cluster)";
    });
    return [...new Set(texts)].join(", ");
}

/** Everything that the same words do differently. */
export function meanings(service: KindSubject): KindDifference[] {
    const from = service.loadBalancerType;
    const to = otherType(from);
    return ASPECTS.flatMap(({ kind, subject, text, remedy }): KindDifference[] => {
        const [before, after] = [text(service, from), text(service, to)];
        if (before === undefined || after === undefined || before === after) return [];
        return kind === "required" && to === "clb" ? [] : [{ kind, subject, before, after, remedy: remedy[to] }];
    });
}
