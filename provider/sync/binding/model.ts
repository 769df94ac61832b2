/** Between a binding's spec and the model from which the members of a server group are computed. */
import type { BackendFacts, GroupShape, ServiceShape } from "../../backend";
import type { GroupType } from "../../deploy/handlers/group";
import type { Service } from "../../kubernetes/service/service";
import type { AssumeRole } from "../../schema/account";
import type { ClusterFacts } from "../../schema/facts";
import type { BindingSpec } from "./spec";

/** What a binding says, as the arguments of `groupBackends`. */
export interface BindingModel {
    readonly service: ServiceShape;
    readonly group: GroupShape;
    readonly facts: BackendFacts;
}

/** The model of a binding. */
export function modelOf(spec: BindingSpec): BindingModel {
    const { serverGroup } = spec;
    return {
        service: {
            ports: spec.ports.map(({ name, port, protocol, targetPort }) => ({
                port,
                protocol,
                targetPort,
                ...(name === undefined ? {} : { name }),
            })),
            externalTrafficPolicy: spec.externalTrafficPolicy,
            settings: {
                ...(spec.weightShare === undefined ? {} : { weight: spec.weightShare }),
                ...(spec.defaultWeight === undefined ? {} : { defaultWeight: spec.defaultWeight }),
                ...(spec.nodeSelector === undefined ? {} : { backendLabel: spec.nodeSelector }),
                ...(spec.removeUnscheduled === undefined
                    ? {}
                    : { removeUnscheduledBackend: spec.removeUnscheduled ? "on" : "off" }),
            },
        },
        group: {
            key: serverGroup.id,
            kind: spec.backendType,
            ports: spec.ports.map(({ port, protocol }) => ({ port, protocol })),
            ...(serverGroup.userManaged === true ? { joined: serverGroup.id } : {}),
            ...(serverGroup.type === "VServer" ? {} : { type: serverGroup.type }),
            ...(serverGroup.anyPort === undefined ? {} : { anyPort: serverGroup.anyPort }),
            ...(serverGroup.ipVersion === undefined ? {} : { ipVersion: serverGroup.ipVersion }),
        },
        facts: {
            ...(spec.compatibility === undefined ? {} : { compatibility: spec.compatibility }),
            ...(spec.vpcCidrs === undefined ? {} : { vpcCidrs: spec.vpcCidrs }),
        },
    };
}

/** What only a run knows of a server group. */
export interface GroupReference {
    readonly region: string;
    readonly assumeRole?: AssumeRole;
    readonly id: string;
    readonly type: GroupType;
    readonly mark: string;
    /** Port of the members whose keys name none; absent where pods are attached directly. */
    readonly nodePort?: number;
    readonly allowEmpty: boolean;
}

/** The spec of the binding of one of a Service's server groups. */
export function specOf(
    service: Pick<Service, "name" | "ports" | "externalTrafficPolicy" | "settings">,
    group: GroupShape,
    facts: Pick<ClusterFacts, "compatibility" | "vpcCidrs">,
    reference: GroupReference,
): BindingSpec {
    const { settings } = service;
    const served = service.ports.filter(({ port, protocol }) =>
        group.ports.some((one) => one.port === port && one.protocol === protocol),
    );
    return {
        region: reference.region,
        ...(reference.assumeRole === undefined ? {} : { assumeRole: { ...reference.assumeRole } }),
        serverGroup: {
            id: reference.id,
            type: reference.type,
            ...(group.joined === undefined ? {} : { userManaged: true }),
            ...(group.anyPort ? { anyPort: true } : {}),
            ...(group.ipVersion === undefined || group.ipVersion === "ipv4" ? {} : { ipVersion: group.ipVersion }),
        },
        ownershipMark: reference.mark,
        serviceName: service.name,
        ports: served.map(({ name, port, protocol, targetPort }) => ({
            port,
            protocol,
            targetPort,
            ...(name === undefined ? {} : { name }),
        })),
        backendType: group.kind,
        ...(reference.nodePort === undefined ? {} : { nodePort: reference.nodePort }),
        externalTrafficPolicy: service.externalTrafficPolicy,
        ...(settings.backendLabel === undefined ? {} : { nodeSelector: { ...settings.backendLabel } }),
        ...(settings.removeUnscheduledBackend === "on" ? { removeUnscheduled: true } : {}),
        ...(group.joined === undefined || settings.weight === undefined ? {} : { weightShare: settings.weight }),
        ...(settings.defaultWeight === undefined ? {} : { defaultWeight: settings.defaultWeight }),
        ...(settings.ignoreWeightUpdate === "on" ? { ignoreWeightUpdate: true } : {}),
        ...(facts.compatibility === undefined ? {} : { compatibility: facts.compatibility }),
        ...(facts.vpcCidrs === undefined ? {} : { vpcCidrs: [...facts.vpcCidrs] }),
        ...(reference.allowEmpty ? { allowEmpty: true } : {}),
        ...(settings.connectionDrain === "on" && settings.connectionDrainTimeout !== undefined
            ? { drainSeconds: settings.connectionDrainTimeout }
            : {}),
    };
}
