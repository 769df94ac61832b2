/** Checks of ports that do not answer, and of calls from inside the cluster. */

import { clbDocument, faqDocument, notesDocument } from "../../provider/schema/documents";
import { listenerProtocolOf } from "../../provider/schema/protocols";
import { LOCAL_PORT_REMEDY, localNodePorts } from "../../provider/service/ports";
import { insideRemedy } from "../../provider/service/service";
import { listenerViews } from "../inspect/groups";
import { broken, type Examine, suspect } from "./explanation";

/** Reports ports without a listener, or with a user-managed one. */
export const listeners: Examine = (live) => {
    const { service, cloud, object } = live;
    if (cloud.kind !== "found" || service === undefined) return undefined;
    const { instance } = cloud;
    const reused = service.settings.id !== undefined;
    const forced = service.settings.forceOverrideListeners === "true";
    return listenerViews(live).flatMap(({ port, protocol, listener, own }) => {
        if (listener === undefined) {
            const others = instance.listeners.map((one) => `${one.protocol}:${one.port}`).join(", ");
            const found = broken(
                `nothing listens on ${protocol}:${port} of the load balancer`,
                [`${instance.id} has ${others || "no listener"}`],
                !reused || forced
                    ? "run pulumi up --refresh, and read what it says of the listener (without it a run does not " +
                          "see that the listener is gone)"
                    : 'set force-override-listeners to "true" if the port is free on the reused load balancer, ' +
                          "or create the listener yourself",
                reused
                    ? faqDocument("Why is no listener created when I reuse an existing SLB instance")
                    : clbDocument("Listeners"),
            );
            return { ...found, drift: !reused || forced };
        }
        if (!reused || !forced || own) return [];
        return broken(
            `${protocol}:${port} of the reused load balancer is a user-managed listener`,
            [`its description is "${listener.description}", and not the mark of ${object.metadata.name}`],
            "use another port, or delete that listener if nobody needs it",
            clbDocument("Reuse an existing load balancer"),
        );
    });
};

/** Reports listeners of another protocol than the Service requests. */
export const protocols: Examine = (live) =>
    listenerViews(live).flatMap(({ port, protocol, listener }) =>
        listener === undefined || listener.protocol === protocol
            ? []
            : broken(
                  `the listener of port ${port} speaks ${listener.protocol}, and the Service asks for ${protocol}`,
                  ["protocol-port of the Service", `listener ${listener.protocol}:${listener.port}`],
                  "run pulumi up --refresh; it replaces the listener, which breaks its connections",
                  faqDocument("Service annotation not taking effect"),
              ),
    );

/** Reports what clients inside the cluster miss: the node answers for the address of a CLB. */
export const inside: Examine = ({ service, type }) => {
    if (service === undefined || type !== "clb" || service.settings.hostname !== undefined) return undefined;
    const { settings, externalTrafficPolicy, name, namespace, ports } = service;
    const clusterName = `${name}.${namespace}.svc.cluster.local`;
    const spoken = ports.map((port) => listenerProtocolOf(port, settings));
    const traps: readonly (readonly [holds: boolean, what: string, remedy?: string])[] = [
        [
            externalTrafficPolicy === "Local",
            "the address answers only on nodes with a pod of the Service (externalTrafficPolicy Local)",
            insideRemedy(clusterName),
        ],
        [settings.proxyProtocol === "on", "backends get no Proxy Protocol header, and the handshake fails"],
        [spoken.includes("https"), "TLS clients get plain HTTP (curl: wrong version number)"],
        [spoken.includes("http"), "requests lack the headers of the load balancer, such as X-Forwarded-For"],
    ];
    return traps
        .filter(([holds]) => holds)
        .map(([, what, remedy = `let clients inside the cluster call ${clusterName}, or set hostname`]) =>
            suspect(
                `from inside the cluster ${what}`,
                ["kube-proxy answers calls of a load balancer's address on the node that makes them"],
                remedy,
                notesDocument("Access a LoadBalancer Service from within the cluster"),
            ),
        );
};

/** Reports node ports in the range that nodes use for their own connections. */
export const nodePorts: Examine = ({ object }) =>
    localNodePorts(object.spec?.ports ?? []).map((what) =>
        suspect(
            what,
            ["the Service as the cluster has it", "net.ipv4.ip_local_port_range, unless the nodes set another one"],
            LOCAL_PORT_REMEDY,
            faqDocument("How do I configure the NodePort range?"),
        ),
    );

/** Reports quotas of the instance that are used up. */
export const quotas: Examine = ({ type, cloud }) => {
    if (cloud.kind !== "found") return undefined;
    const { id, listeners: all, serverGroups } = cloud.instance;
    const used = {
        backends: serverGroups.reduce((sum, group) => sum + (group.backends?.length ?? 0), 0),
        listeners: all.length,
    };
    return (["backends", "listeners"] as const).flatMap((quota) => {
        const { limit, assumed } = cloud.quotas.limits[type][quota];
        if (used[quota] < limit) return [];
        return broken(
            `the ${assumed ? "published default" : "account's"} quota of ${quota} of an instance is used up`,
            [`${id} has ${used[quota]} of ${limit} ${quota}`],
            "have the quota raised, select nodes with backend-label, or use externalTrafficPolicy Local or a " +
                "load balancer of its own",
            faqDocument("errors"),
        );
    });
};
