/** Conversion between the spec of a binding and the arguments of `groupBackends`. */
import { drainsPods, type WeightFacts } from "../../backends";
import type { Service, ServicePort } from "../../service/service";
import type { AssumeRole } from "../../schema/account";
import type { ServerGroup } from "../../schema/server-group";
import type { BindingSpec } from "./spec";
import { defined } from "../../schema/defined";

export function modelOf(spec: BindingSpec) {
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
                gracefulShutdown: spec.gracefulShutdown === true ? "true" : undefined,
                ignoreWeightUpdate: spec.ignoreWeightUpdate === true ? "on" : undefined,
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

/** Facts of a server group that only a run knows. Without a nodePort pods are attached directly. */
type GroupReference = Pick<BindingSpec, "region" | "nodePort"> &
    Pick<BindingSpec["serverGroup"], "id" | "type"> & {
        readonly assumeRole?: AssumeRole;
        readonly mark: string;
        readonly allowEmpty: boolean;
    };

export function specOf(
    service: Pick<Service, "name" | "ports" | "externalTrafficPolicy" | "settings">,
    group: ServerGroup,
    facts: WeightFacts,
    reference: GroupReference,
): BindingSpec {
    const { settings } = service;
    const { region, assumeRole, id, type, mark, nodePort, allowEmpty } = reference;
    const isServed = ({ port, protocol }: ServicePort): boolean =>
        group.ports.some((one) => one.port === port && one.protocol === protocol);
    const isJoined = group.joined !== undefined;
    return defined({
        region,
        assumeRole: assumeRole && { ...assumeRole },
        serverGroup: defined({
            id,
            type,
            userManaged: ifTrue(isJoined),
            anyPort: ifTrue(group.anyPort),
            ipVersion: group.ipVersion === "ipv4" ? undefined : group.ipVersion,
        }),
        ownershipMark: mark,
        serviceName: service.name,
        ports: service.ports
            .filter(isServed)
            .map(({ name, port, protocol, targetPort }) => ({ port, protocol, targetPort, ...defined({ name }) })),
        backendType: group.kind,
        nodePort,
        externalTrafficPolicy: service.externalTrafficPolicy,
        nodeSelector: settings.backendLabel && { ...settings.backendLabel },
        removeUnscheduled: ifTrue(settings.removeUnscheduledBackend === "on"),
        weightShare: isJoined ? settings.weight : undefined,
        defaultWeight: settings.defaultWeight,
        ignoreWeightUpdate: ifTrue(settings.ignoreWeightUpdate === "on"),
        gracefulShutdown: ifTrue(drainsPods({ settings }, group)),
        compatibility: facts.compatibility,
        vpcCidrs: facts.vpcCidrs && [...facts.vpcCidrs],
        allowEmpty: ifTrue(allowEmpty),
        drainSeconds: settings.connectionDrain === "on" ? settings.connectionDrainTimeout : undefined,
    });
}

/** Returns undefined for false, the default of every flag of a spec. */
const ifTrue = (flag: boolean | undefined): true | undefined => flag || undefined;
