/** Names of objects in the cloud, the same for those that a preview and a call are about. */
import type { StatedCloud } from "../../../../lab/cloud";
import { serviceOf } from "../../../../provider/schema/names";
import type { Write } from "../../world";
import type { Run } from "./reported";

interface ListenerPlace {
    readonly lb: string;
    readonly protocol: string;
    readonly port: string;
    readonly mark: string;
}

const familyOf = (protocol: string): string => (/udp/i.test(protocol) ? "udp" : "tcp");

const listenersOf = ({ slb, nlb }: StatedCloud): (ListenerPlace & { readonly id: string })[] => [
    ...slb.listeners.map(({ loadBalancerId, protocol, port, attributes }) => ({
        id: "",
        lb: loadBalancerId,
        protocol: familyOf(protocol),
        port: String(port),
        mark: String(attributes["Description"] ?? ""),
    })),
    ...nlb.listeners.map(({ id, loadBalancerId, protocol, port, startPort, endPort, description }) => ({
        id,
        lb: loadBalancerId,
        protocol: familyOf(protocol),
        port: startPort === undefined ? String(port) : `${startPort}-${endPort}`,
        mark: description,
    })),
];

interface Named {
    readonly id: string;
    readonly name: string;
}

export const instancesIn = ({ slb, nlb }: StatedCloud) => [...slb.loadBalancers, ...nlb.loadBalancers];

/** Objects of a run. An object that was there before has its id, and a new one its name. */
export function objectsOf({ before, after }: Run) {
    const [former, latter] = [listenersOf(before), listenersOf(after)];
    const groupsIn = ({ slb, nlb }: StatedCloud): readonly Named[] => [...slb.vServerGroups, ...nlb.serverGroups];
    const naming =
        (noun: string, list: (state: StatedCloud) => readonly Named[]) =>
        (id: string, name = ""): string => {
            if (list(before).some((one) => one.id === id)) return `${noun} ${id}`;
            return `${noun} ${list(after).find((one) => one.id === id)?.name ?? name} (new)`;
        };
    const instance = naming("instance", instancesIn);
    const group = naming("group", groupsIn);
    const hasTags = (id: string, tags: Readonly<Record<string, unknown>>): boolean => {
        const found = instancesIn(before).find((one) => one.id === id)?.tags;
        return Object.entries(tags).every(([key, value]) => found?.[key] === value);
    };
    const acl = naming("acl", ({ slb }) => slb.acls);
    const entries = (id: string): string =>
        before.slb.acls.some((one) => one.id === id) ? `entries of ${id}` : acl(id);
    const securityGroup = naming("security group", ({ ecs }) => ecs.securityGroups);
    const listener = (lb: string, protocol: string, port: string, mark?: string): string => {
        const family = familyOf(protocol);
        if (instancesIn(before).some(({ id }) => id === lb)) return `listener ${lb} ${family}-${port}`;
        const found = latter.find((one) => one.lb === lb && one.protocol === family && one.port === port);
        return `listener of ${serviceOf(mark ?? found?.mark ?? "")} ${family}-${port} (new)`;
    };
    const listenerOf = (id: string): string => {
        const found = [...former, ...latter].find((one) => one.id === id);
        return found === undefined ? "listener (new)" : listener(found.lb, found.protocol, found.port, found.mark);
    };
    const domain = (lb: string, port: string, name: string): string => {
        const isThere = instancesIn(before).some(({ id }) => id === lb);
        return `domain ${name} of ${isThere ? listener(lb, "tcp", port) : `port ${port} (new)`}`;
    };
    const domainOf = (id: string): string => {
        const found = before.slb.domainExtensions.find((one) => one.id === id);
        return domain(found?.loadBalancerId ?? "", String(found?.listenerPort), found?.domain ?? "");
    };
    const tagged = (id: string): string => {
        const has = (list: readonly Named[]): boolean => list.some((one) => one.id === id);
        if ([before, after].some((state) => has(state.slb.acls))) return acl(id);
        if ([before, after].some((state) => has(state.ecs.securityGroups))) return securityGroup(id);
        return [before, after].some((state) => has(groupsIn(state))) ? group(id) : instance(id);
    };
    /** Returns the object that a call is about. */
    const written = ({ action, params }: Write): string => {
        const of = (name: string): string => params[name] ?? "";
        if (/DomainExtension/.test(action))
            return params["DomainExtensionId"] === undefined
                ? domain(of("LoadBalancerId"), of("ListenerPort"), of("Domain"))
                : domainOf(of("DomainExtensionId"));
        if (params["ListenerId"] !== undefined) return listenerOf(of("ListenerId"));
        if (params["ListenerPort"] !== undefined)
            return listener(
                of("LoadBalancerId"),
                params["ListenerProtocol"] ?? action,
                params["StartPort"] === undefined ? of("ListenerPort") : `${of("StartPort")}-${of("EndPort")}`,
                params["Description"] ?? params["ListenerDescription"],
            );
        if (/^CreateV?ServerGroup$/.test(action)) return group("", of("VServerGroupName") || of("ServerGroupName"));
        const id = params["VServerGroupId"] ?? params["ServerGroupId"];
        if (id !== undefined)
            return /Servers/.test(action) || "BackendServers" in params ? `members of ${group(id)}` : group(id);
        if (/AccessControlListEntry/.test(action)) return entries(of("AclId"));
        if (/AccessControlList/.test(action)) return acl(of("AclId"), of("AclName"));
        if (params["LoadBalancerId"] !== undefined) return instance(of("LoadBalancerId"));
        if (/SecurityGroup/.test(action)) return securityGroup(of("SecurityGroupId"), of("SecurityGroupName"));
        if (action === "CreateLoadBalancer") return instance("", of("LoadBalancerName"));
        return tagged(of("ResourceId") || of("ResourceId.1"));
    };
    /** Returns the objects whose deletion deletes an object. */
    const goesWith = (object: string): string[] => {
        const [, , lb = ""] = /(listener) (\S+) /.exec(object) ?? [];
        const [, id = ""] = /group (\S+)$/.exec(object) ?? [];
        const of = before.slb.vServerGroups.find((one) => one.id === id)?.loadBalancerId;
        const inner = object.replace(/^(?:members|entries) of |^domain \S+ of /, "");
        return [`instance ${lb}`, `instance ${of}`, inner].filter((one) => one !== object);
    };
    /** Returns the listener to which a listener of a CLB redirects, or an empty text. */
    const redirectOf = (object: string): string => {
        const found = before.slb.listeners.find(
            ({ loadBalancerId, protocol, port }) => listener(loadBalancerId, protocol, String(port)) === object,
        );
        const { ListenerForward, ForwardPort } = found?.attributes ?? {};
        return ListenerForward === "on" ? listener(found?.loadBalancerId ?? "", "https", String(ForwardPort)) : "";
    };
    return {
        redirectOf,
        instance,
        hasTags,
        group,
        acl,
        entries,
        securityGroup,
        listener,
        listenerOf,
        domain,
        written,
        goesWith,
    };
}

export type Objects = ReturnType<typeof objectsOf>;
