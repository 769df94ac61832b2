/** Between a binding's spec and the model from which the members of a server group are computed. */
import type { BackendFacts, GroupShape, ServiceShape } from "../../backend";
import type { GroupType } from "../../deploy/handlers/group";
import type { Service } from "../../kubernetes/service/service";
import type { AssumeRole } from "../../schema/account";
import type { ClusterFacts } from "../../schema/facts";
import type { BindingSpec } from "./spec";
import { defined } from "../../schema/defined";

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
                ...defined({ name }),
            })),
            externalTrafficPolicy: spec.externalTrafficPolicy,
            settings: {
                ...defined({
                    weight: spec.weightShare,
                    defaultWeight: spec.defaultWeight,
                    backendLabel: spec.nodeSelector,
                }),
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
            ...defined({ anyPort: serverGroup.anyPort, ipVersion: serverGroup.ipVersion }),
        },
        facts: {
            ...defined({ compatibility: spec.compatibility, vpcCidrs: spec.vpcCidrs }),
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
        ...(reference.assumeRole && { assumeRole: { ...reference.assumeRole } }),
        serverGroup: {
            id: reference.id,
            type: reference.type,
            ...(group.joined && { userManaged: true }),
            ...(group.anyPort ? { anyPort: true } : {}),
            ...(group.ipVersion === undefined || group.ipVersion === "ipv4" ? {} : { ipVersion: group.ipVersion }),
        },
        ownershipMark: reference.mark,
        serviceName: service.name,
        ports: served.map(({ name, port, protocol, targetPort }) => ({
            port,
            protocol,
            targetPort,
            ...defined({ name }),
        })),
        backendType: group.kind,
        ...defined({ nodePort: reference.nodePort }),
        externalTrafficPolicy: service.externalTrafficPolicy,
        ...(settings.backendLabel && { nodeSelector: { ...settings.backendLabel } }),
        ...(settings.removeUnscheduledBackend === "on" ? { removeUnscheduled: true } : {}),
        ...(group.joined === undefined || settings.weight === undefined ? {} : { weightShare: settings.weight }),
        ...defined({ defaultWeight: settings.defaultWeight }),
        ...(settings.ignoreWeightUpdate === "on" ? { ignoreWeightUpdate: true } : {}),
        ...defined({ compatibility: facts.compatibility }),
        ...(facts.vpcCidrs && { vpcCidrs: [...facts.vpcCidrs] }),
        ...(reference.allowEmpty ? { allowEmpty: true } : {}),
        ...(settings.connectionDrain === "on" && settings.connectionDrainTimeout !== undefined
            ? { drainSeconds: settings.connectionDrainTimeout }
            : {}),
    };
}
