import { backendTypeOf } from "../../annotations";
import type { ClusterFacts } from "../../schema/facts";
import { type ClbServerGroup, portKey } from "../../model/clb";
import type { Service, ServicePort } from "../../kubernetes/service/service";
import { defined } from "../../schema/defined";

/** Key of the group behind a Service port. Pods of one targetPort form one group, as in CCM. */
export function groupKey(service: Service, port: ServicePort, facts: ClusterFacts): string {
    if (joinedGroup(service, port) !== undefined) {
        return portKey(port);
    }
    return backendTypeOf(service.settings, facts) === "eni" ? `target-${port.targetPort}` : portKey(port);
}

/** The user-managed group that the backends of a port join. Source: "Configure CLB using annotations", reuse an existing vServer group. */
export function joinedGroup({ settings }: Service, { port }: ServicePort): string | undefined {
    return settings.id === undefined ? undefined : settings.vgroupPort?.find((entry) => entry.port === port)?.vgroupId;
}

/** The vServer groups of a Service, in the order in which its ports first need them. */
export function buildClbServerGroups(service: Service, facts: ClusterFacts): ClbServerGroup[] {
    const kind = backendTypeOf(service.settings, facts);
    const groups = new Map<string, ClbServerGroup>();
    for (const port of service.ports) {
        const key = groupKey(service, port, facts);
        const backendPort = kind === "eni" ? port.targetPort : port.nodePort;
        const joined = joinedGroup(service, port);
        const ports = [...(groups.get(key)?.ports ?? []), { port: port.port, protocol: port.protocol }];
        groups.set(key, {
            key,
            kind,
            ports,
            ...defined({ backendPort, joined }),
            ...(service.settings.backendIpVersion === "ipv6" ? { ipVersion: "ipv6" } : {}),
        });
    }
    return [...groups.values()];
}
