/** Conversion between the spec of a binding and the arguments of `groupBackends`. */
import type { WeightFacts, GroupShape, ServiceShape } from "../../backends";
import type { GroupType } from "../../resources/handlers/group";
import type { Service, ServicePort } from "../../service/service";
import type { AssumeRole } from "../../schema/account";
import type { BindingSpec } from "./spec";
import { defined } from "../../schema/defined";

/** Returns the arguments of `groupBackends` for a binding. */
export function modelOf(spec: BindingSpec): {
    readonly service: ServiceShape;
    readonly group: GroupShape;
    readonly facts: WeightFacts;
} {
    const { serverGroup, removeUnscheduled } = spec;
    const { id, type, anyPort, ipVersion } = serverGroup;
    return {
        service: {
            ports: spec.ports.map(({ name, ...port }) => ({ ...port, ...defined({ name }) })),
            externalTrafficPolicy: spec.externalTrafficPolicy,
            settings: defined({
                weight: spec.weightShare,
                defaultWeight: spec.defaultWeight,
                backendLabel: spec.nodeSelector,
                removeUnscheduledBackend:
                    removeUnscheduled === undefined ? undefined : removeUnscheduled ? "on" : "off",
            }),
        },
        group: {
            key: id,
            kind: spec.backendType,
            ports: spec.ports.map(({ port, protocol }) => ({ port, protocol })),
            ...(serverGroup.userManaged === true ? { joined: id } : {}),
            ...(type === "VServer" ? {} : { type }),
            ...defined({ anyPort, ipVersion }),
        },
        facts: defined({ compatibility: spec.compatibility, vpcCidrs: spec.vpcCidrs }),
    };
}

/** Facts of a server group that only a run knows. */
interface GroupReference {
    readonly region: string;
    readonly assumeRole?: AssumeRole;
    readonly id: string;
    readonly type: GroupType;
    readonly mark: string;
    /** Port of the members whose keys have none; absent if pods are attached directly. */
    readonly nodePort?: number;
    readonly allowEmpty: boolean;
}

/** Returns the spec of the binding of one of a Service's server groups. */
export function specOf(
    service: Pick<Service, "name" | "ports" | "externalTrafficPolicy" | "settings">,
    group: GroupShape,
    facts: WeightFacts,
    reference: GroupReference,
): BindingSpec {
    const { settings } = service;
    const { region, assumeRole, id, type, mark, nodePort, allowEmpty } = reference;
    const isServed = ({ port, protocol }: ServicePort): boolean =>
        group.ports.some((one) => one.port === port && one.protocol === protocol);
    return {
        region,
        ...(assumeRole && { assumeRole: { ...assumeRole } }),
        serverGroup: {
            id,
            type,
            ...(group.joined && { userManaged: true }),
            ...(group.anyPort ? { anyPort: true } : {}),
            ...(group.ipVersion === undefined || group.ipVersion === "ipv4" ? {} : { ipVersion: group.ipVersion }),
        },
        ownershipMark: mark,
        serviceName: service.name,
        ports: service.ports.filter(isServed).map(({ name, port, protocol, targetPort }) => ({
            port,
            protocol,
            targetPort,
            ...defined({ name }),
        })),
        backendType: group.kind,
        ...defined({ nodePort }),
        externalTrafficPolicy: service.externalTrafficPolicy,
        ...(settings.backendLabel && { nodeSelector: { ...settings.backendLabel } }),
        ...(settings.removeUnscheduledBackend === "on" ? { removeUnscheduled: true } : {}),
        ...(group.joined === undefined || settings.weight === undefined ? {} : { weightShare: settings.weight }),
        ...defined({ defaultWeight: settings.defaultWeight }),
        ...(settings.ignoreWeightUpdate === "on" ? { ignoreWeightUpdate: true } : {}),
        ...defined({ compatibility: facts.compatibility }),
        ...(facts.vpcCidrs && { vpcCidrs: [...facts.vpcCidrs] }),
        ...(allowEmpty ? { allowEmpty: true } : {}),
        ...(settings.connectionDrain === "on" && settings.connectionDrainTimeout !== undefined
            ? { drainSeconds: settings.connectionDrainTimeout }
            : {}),
    };
}
