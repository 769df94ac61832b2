/** Checks of the load balancer and its listeners, and of calls from inside the cluster. */

import { attributeName } from "../../provider/schema/difference";
import { clbDocument, faqDocument, notesDocument } from "../../provider/schema/documents";
import { listenerProtocolOf } from "../../provider/schema/protocols";
import { ccmMarks } from "../../provider/service/controller";
import { LOCAL_PORT_REMEDY, localNodePorts } from "../../provider/service/ports";
import { insideRemedy } from "../../provider/service/service";
import { type Drift, driftOf } from "../inspect/drift";
import { listenerViews, strayListeners } from "../inspect/groups";
import { loadBalancerManagerOf, type InspectedService, ownFieldsOf, serviceNameOf } from "../inspect/model";
import { editedFields } from "./edits";
import { broken, drifted, type Examine, setBack, some, suspect } from "./explanation";

/** Ways back from a state in which an instance passes nothing on. */
const WAYS_BACK: Readonly<Record<string, (live: InspectedService) => string>> = {
    locked: () =>
        "settle what the account owes (Expenses and Costs), or see the console for another cause; it unlocks then",
    inactive: ({ service, object }) =>
        service?.settings.id === undefined && loadBalancerManagerOf(object).kind !== "ccm"
            ? "run pulumi up --refresh, which starts it (its modification protection refuses that in the console)"
            : "start it in the console, or by SetLoadBalancerStatus with LoadBalancerStatus=active",
};

/** Reports an instance that passes nothing on, and listeners that are stopped. */
export const state: Examine = (live) => {
    const { cloud } = live;
    if (cloud.kind !== "found") return undefined;
    const { id, status } = cloud.instance;
    const source = clbDocument("Listeners");
    const way = WAYS_BACK[status ?? ""];
    const stopped = listenerViews(live).flatMap(({ listener, own }) => {
        const name = `${listener?.protocol}:${listener?.port}`;
        const found = cloud.listeners[name]?.status ?? "";
        if (found.toLowerCase() !== "stopped") return [];
        const remedy = own ? setBack(live, ", which starts it") : "start it in the console: it is user-managed";
        const stop = broken(`listener ${name} of ${id} is stopped`, [`status ${found}`], remedy, source);
        return { ...stop, drift: own };
    });
    if (way === undefined) return stopped;
    const answer = `load balancer ${id} is ${status}: no listener answers`;
    const passive = { ...broken(answer, [`status ${status}`], way(live), source), drift: status === "inactive" };
    return [passive, ...stopped];
};

/** Reports source ranges that no access control list of a CLB has. */
export const missingAcl: Examine = (live) => {
    const { object, model, cloud } = live;
    if (cloud.kind !== "found" || cloud.acl !== undefined || model?.kind !== "clb") return undefined;
    const { sourceRanges } = model.loadBalancer;
    if (sourceRanges.length === 0) return undefined;
    return drifted(
        "broken",
        "the Service is open to everybody: the access control list of its source ranges does not exist",
        [`loadBalancerSourceRanges: ${some(sourceRanges)}`, `no listener of ${cloud.instance.id} uses a list`],
        setBack(
            live,
            ". If the list was deleted by hand, that fails, because the alicloud provider cannot refresh a deleted " +
                `list: run pulumi up --replace '**slb/acl:Acl::${serviceNameOf(object)}' without --refresh, ` +
                "with the name that the Acl has in the stack",
        ),
        clbDocument("Access Control"),
    );
};

/** Reports attributes that differ. What traffic depends on is apart from what it does not. */
export const attributes: Examine = (live) =>
    [...Map.groupBy(driftOf(live), ({ object, harmless, change }) => `${object} ${harmless} ${change === "kept"}`)].map(
        ([, found]) => {
            const [{ object, harmless, change }] = found as [Drift];
            const names = some(found.map(({ attribute }) => attributeName(attribute)));
            const [effect = ""] = found.flatMap(({ interrupts }) => interrupts ?? []);
            return drifted(
                harmless ? "drift" : "broken",
                found.some(({ opens }) => opens)
                    ? `the Service is open to everybody: ${object} admits clients that it keeps out (${names})`
                    : `${object} differs from what the Service asks for: ${names}`,
                found.map(
                    ({ attribute, observed, desired }) =>
                        `${attributeName(attribute)}: ${observed} in the cloud, ${desired} desired`,
                ),
                change === "kept"
                    ? "lift the limit in the console (a run leaves alone what the Service does not set), or set cps"
                    : setBack(live, `, which sets it back${effect}`) + "; or state in the Service what the cloud has",
                faqDocument("Service annotation not taking effect"),
            );
        },
    );

/** Reports listeners of the Service's ports that send clients to another server group. */
export const strays: Examine = (live) =>
    strayListeners(live).map(({ listener, own, group }) => {
        const { protocol, port, serverGroupId } = listener;
        const other = live.cloud.kind === "found" ? live.cloud.instance.serverGroups : [];
        const name = other.find(({ id }) => id === serverGroupId)?.name;
        const target = `${serverGroupId}${name === undefined || name === "" ? "" : ` (${name})`}`;
        const what = `listener ${protocol}:${port} forwards to ${target} instead of ${group.id}`;
        const evidence = [`server group ${group.id} (${group.name}) has the Service's backends`];
        const source = clbDocument("Listeners");
        return own
            ? drifted("broken", what, evidence, setBack(live, ", which sets it back"), source)
            : suspect(
                  what,
                  evidence,
                  "let the listener forward to it, unless that is meant: it is user-managed",
                  source,
              );
    });

export const controllers: Examine = ({ object }) => {
    const { metadata } = object;
    const { namespace = "default", name } = metadata;
    const fields = ownFieldsOf(object);
    if (loadBalancerManagerOf(object).kind !== "ccm" || fields.length === 0) return undefined;
    return broken(
        "two controllers manage the Service: this package and the Cloud Controller Manager (CCM)",
        [...fields, ...ccmMarks(metadata)],
        "run pulumi up with the Service under adopt (docs/migrate-from-ccm.md), which takes it from CCM; or hand " +
            `it back. Look at the fields: kubectl -n ${namespace} get service ${name} -o yaml`,
        notesDocument("Notes on CCM-managed load balancers"),
    );
};

/** Reports ports without a listener, or with a user-managed listener. */
export const listeners: Examine = (live) => {
    const { service, cloud, object } = live;
    if (cloud.kind !== "found" || service === undefined) return undefined;
    const { instance } = cloud;
    const reused = service.settings.id !== undefined;
    const forced = service.settings.forceOverrideListeners === "true";
    const added = editedFields(live);
    return listenerViews(live).flatMap(({ port, protocol, listener, own }) => {
        if (listener === undefined) {
            const others = instance.listeners.map((one) => `${one.protocol}:${one.port}`).join(", ");
            const found = broken(
                `nothing listens on ${protocol}:${port} of the load balancer`,
                [`${instance.id} has ${others || "no listener"}`],
                added.some(({ field }) => field.startsWith(`spec.ports[${port}/`))
                    ? "state the port in the manifest of the stack and run pulumi up; or remove it from the Service: " +
                          `kubectl -n ${object.metadata.namespace} edit service ${object.metadata.name}`
                    : !reused || forced
                      ? setBack(
                            live,
                            ", and read what it says of the listener (without it a run does not see that it is gone)",
                        )
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
            setBack(
                live,
                `, which takes the port back, because force-override-listeners is "true"; its connections ` +
                    "break. Use another port if somebody needs it",
            ),
            clbDocument("Reuse an existing load balancer"),
        );
    });
};

/** A user-managed listener in front of a group that the Service joins may speak any protocol. */
export const protocols: Examine = (live) =>
    listenerViews(live).flatMap(({ port, protocol, listener, own }) =>
        listener === undefined || listener.protocol === protocol || !own
            ? []
            : broken(
                  `the listener of port ${port} speaks ${listener.protocol}, and the Service asks for ${protocol}`,
                  ["protocol-port of the Service", `listener ${listener.protocol}:${listener.port}`],
                  `delete listener ${listener.protocol}:${port}, which takes the port (its connections break), and ` +
                      "then " +
                      setBack(live, ", which creates the listener of the Service"),
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

export const nodePorts: Examine = ({ object }) =>
    localNodePorts(object.spec?.ports ?? []).map((what) =>
        suspect(
            what,
            ["the Service as the cluster has it", "net.ipv4.ip_local_port_range, unless the nodes set another one"],
            LOCAL_PORT_REMEDY,
            faqDocument("How do I configure the NodePort range?"),
        ),
    );

export const quotas: Examine = ({ type, cloud }) => {
    if (cloud.kind !== "found") return undefined;
    const { id, listeners: all, serverGroups } = cloud.instance;
    const used = { backends: serverGroups.flatMap(({ backends = [] }) => backends).length, listeners: all.length };
    return (["backends", "listeners"] as const).flatMap((quota) => {
        const { limit, assumed } = cloud.quotas.limits[type][quota];
        if (used[quota] < limit) return [];
        return broken(
            `the ${assumed ? "published default" : "account's"} quota of ${quota} of an instance is used up`,
            [`${id} has ${used[quota]} of ${limit} ${quota}`],
            "have the quota raised, select nodes with backend-label, or use externalTrafficPolicy Local or a " +
                "separate load balancer",
            faqDocument("errors"),
        );
    });
};
