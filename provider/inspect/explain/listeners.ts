/** Why a port does not answer, and what clients inside the cluster see. */

import { clbDocument, faqDocument, notesDocument } from "../../schema/documents";
import { LOCAL_PORT_REMEDY, localNodePorts } from "../../kubernetes/service/ports";
import { insideRemedy } from "../../kubernetes/service/service";
import { listenerProtocolOf } from "../../schema/protocols";
import { ownerKey, sameService } from "../../model/names";
import type { Examine, Explanation } from "./explanation";

/** A port without a listener of the Service's own. */
export const listeners: Examine = ({ object, service, type, cloud }) => {
    if (cloud.kind !== "found" || service === undefined) return [];
    const { settings, namespace, name } = service;
    const mark = ownerKey(type, { namespace, name, clusterId: "any" });
    return service.ports.flatMap((port): Explanation[] => {
        const protocol = listenerProtocolOf(port, settings);
        const found = cloud.instance.listeners.find(
            (one) => one.port === port.port && (one.protocol === "udp") === (protocol === "udp"),
        );
        const evidence = [
            `${cloud.instance.id} has ${cloud.instance.listeners.map((one) => `${one.protocol}:${one.port}`).join(", ") || "no listener"}`,
        ];
        if (found === undefined) {
            const forced = settings.id === undefined || settings.forceOverrideListeners === "true";
            return [
                {
                    verdict: "broken",
                    what: `nothing listens on ${protocol}:${port.port} of the load balancer`,
                    evidence,
                    remedy: forced
                        ? "run pulumi up, and read what it says of the listener"
                        : 'set force-override-listeners to "true" if the port is free on the reused load balancer, or create the listener yourself',
                    source:
                        settings.id === undefined
                            ? clbDocument("Listeners")
                            : faqDocument("Why is no listener created when I reuse an existing SLB instance"),
                },
            ];
        }
        if (
            settings.id === undefined ||
            sameService(found.description, mark) ||
            settings.forceOverrideListeners !== "true"
        )
            return [];
        return [
            {
                verdict: "broken",
                what: `${protocol}:${port.port} of the reused load balancer is a user-managed listener`,
                evidence: [`its description is "${found.description}", and not the mark of ${object.metadata.name}`],
                remedy: "use another port, or delete that listener if nobody needs it",
                source: clbDocument("Reuse an existing load balancer"),
            },
        ];
    });
};

/** The certificate that TLS needs. */
export const protocols: Examine = ({ service, cloud }) => {
    if (cloud.kind !== "found" || service === undefined) return [];
    return service.ports.flatMap((port) => {
        const desired = listenerProtocolOf(port, service.settings);
        const found = cloud.instance.listeners.find(
            (one) => one.port === port.port && (one.protocol === "udp") === (desired === "udp"),
        );
        if (found === undefined || found.protocol === desired) return [];
        return [
            {
                verdict: "broken",
                what: `the listener of port ${port.port} speaks ${found.protocol}, and the Service asks for ${desired}`,
                evidence: [`protocol-port of the Service`, `listener ${found.protocol}:${found.port}`],
                remedy: "run pulumi up; it replaces the listener, which breaks its connections",
                source: faqDocument("Service annotation not taking effect"),
            },
        ];
    });
};

/** Calls from inside the cluster never reach the load balancer, because every node answers for its address. */
export const inside: Examine = ({ service, type }) => {
    if (service === undefined || type !== "clb" || service.settings.hostname !== undefined) return [];
    const { settings, externalTrafficPolicy, name, namespace, ports } = service;
    const clusterName = `${name}.${namespace}.svc.cluster.local`;
    const others = `let clients inside the cluster call ${clusterName}, or set hostname`;
    const source = notesDocument("Access a LoadBalancer Service from within the cluster");
    const evidence = ["kube-proxy answers calls of a load balancer's address on the node that makes them"];
    const spoken = ports.map((port) => listenerProtocolOf(port, settings));
    const local = {
        what: "from inside the cluster the address answers only on nodes with a pod of the Service (externalTrafficPolicy Local)",
        remedy: insideRemedy(clusterName),
    };
    const traps = [
        ...(settings.proxyProtocol === "on"
            ? ["from inside the cluster backends get no Proxy Protocol header, and the handshake fails"]
            : []),
        ...(spoken.includes("https")
            ? ["from inside the cluster TLS clients get plain HTTP (curl: wrong version number)"]
            : []),
        ...(spoken.includes("http")
            ? ["from inside the cluster requests lack the headers of the load balancer, such as X-Forwarded-For"]
            : []),
    ];
    return [
        ...(externalTrafficPolicy === "Local" ? [local] : []),
        ...traps.map((what) => ({ what, remedy: others })),
    ].map((trap) => ({ verdict: "suspect", ...trap, evidence, source }));
};

/** Node ports that nodes take for their own connections, now and then. */
export const nodePorts: Examine = ({ object }) =>
    localNodePorts(object.spec?.ports ?? []).map((what) => ({
        verdict: "suspect",
        what,
        evidence: [
            "the Service as the cluster has it",
            "net.ipv4.ip_local_port_range, unless the nodes set another one",
        ],
        remedy: LOCAL_PORT_REMEDY,
        source: faqDocument("How do I configure the NodePort range?"),
    }));

/** Quotas of the instance that leave no room. */
export const quotas: Examine = ({ type, cloud }) => {
    if (cloud.kind !== "found") return [];
    const { id, listeners: all, serverGroups } = cloud.instance;
    const used = {
        backends: serverGroups.reduce((sum, group) => sum + (group.backends?.length ?? 0), 0),
        listeners: all.length,
    };
    return (["backends", "listeners"] as const)
        .map((quota) => ({ quota, ...cloud.quotas.limits[type][quota] }))
        .filter(({ quota, limit }) => used[quota] >= limit)
        .map(({ quota, limit, assumed }) => ({
            verdict: "broken",
            what: `the ${assumed ? "published default" : "account's"} quota of ${quota} of an instance is used up`,
            evidence: [`${id} has ${used[quota]} of ${limit} ${quota}`],
            remedy: "have the quota raised, select nodes with backend-label, or use externalTrafficPolicy Local or a load balancer of its own",
            source: faqDocument("errors"),
        }));
};
