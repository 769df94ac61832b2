/** ServerGroupBinding as the API server returns it, and the server groups that it may change. */
import type { ObjectMeta } from "../../service/objects";
import { formatIssues } from "../../service/shape";
import { ownerKey, sameOwner } from "../../schema/names";
import { BINDING_SPEC, type BindingSpec, typeOf } from "./spec";
import { BINDING_STATUS, type BindingStatus } from "./status";

/** Binding whose spec is not validated. */
export interface BindingObject {
    readonly metadata: ObjectMeta;
    readonly spec?: unknown;
    readonly status?: unknown;
}

type ReadSpec =
    | { readonly spec: BindingSpec; readonly problem?: undefined }
    | { readonly spec?: undefined; readonly problem: string };

/** Reads the spec. The API server validates it, but not again after an upgrade of the definition. */
export function readSpec(object: BindingObject): ReadSpec {
    const read = BINDING_SPEC.safeParse(object.spec);
    return read.success ? { spec: read.data } : { problem: formatIssues(read.error, ["spec"]) };
}

/** Returns the last status, empty if it is absent or cannot be read. */
export const readStatus = (object: BindingObject): BindingStatus =>
    BINDING_STATUS.safeParse(object.status ?? {}).data ?? {};

/** Returns `namespace/name` of an object. */
export const bindingKeyOf = ({ metadata }: { readonly metadata: ObjectMeta }): string =>
    `${metadata.namespace ?? "default"}/${metadata.name}`;

/** Returns `namespace/name` of the Service of a binding. */
export const serviceKeyOf = ({ metadata }: BindingObject, { serviceName }: BindingSpec): string =>
    `${metadata.namespace ?? "default"}/${serviceName}`;

/** Settings of the person who operates the controller. */
export interface Operator {
    /** Id of the cluster, as in the ownership marks of its Services. */
    readonly clusterId: string;
    /** User-managed server groups that bindings may fill: `<namespace of the binding>/<id of the group>`. */
    readonly userManagedGroups: readonly string[];
}

/**
 * Reads the spec, and refuses a spec that reaches beyond the binding's own Service. Users of a namespace may write
 * bindings, so the ownership mark must be that of the Service, and a user-managed group must be on the operator's list.
 * The owner of any other group is known from its name in the cloud.
 */
export function readOwnSpec(binding: BindingObject, { clusterId, userManagedGroups }: Operator): ReadSpec {
    const read = readSpec(binding);
    if (read.spec === undefined) return read;
    const { ownershipMark, serviceName, serverGroup } = read.spec;
    const { namespace = "default" } = binding.metadata;
    if (!sameOwner(ownershipMark, ownerKey(typeOf(serverGroup), { namespace, name: serviceName, clusterId })))
        return {
            problem:
                `spec.ownershipMark: ${JSON.stringify(ownershipMark)} is not a mark ` +
                `of Service ${namespace}/${serviceName} in cluster ${clusterId}`,
        };
    const listed = `${namespace}/${serverGroup.id}`;
    if (serverGroup.userManaged === true && !userManagedGroups.includes(listed))
        return {
            problem:
                `spec.serverGroup: ${serverGroup.id} is user-managed, ` +
                `and the controller was not started with --user-managed-group ${listed}`,
        };
    return read;
}
