/**
 * Which server groups a binding may change. Whoever may create bindings in a namespace writes them, so that nothing in them counts that reaches beyond the binding's own Service:
 * its mark has to be that Service's, and a user-managed group has to stand in the list of whoever operates the controller. Whether another group is the Service's, its name in the
 * cloud says.
 */
import { ownerKey, sameOwner } from "../model/names";
import { type BindingObject, readSpec, type ReadSpec } from "./binding/object";
import { typeOf } from "./binding/spec";

/** What whoever operates the controller says of it. */
export interface Operator {
    /** Id of the cluster, as in the ownership marks of its Services. */
    readonly clusterId: string;
    /** User-managed server groups that bindings may fill: `<namespace of the binding>/<id of the group>`. */
    readonly userManagedGroups: readonly string[];
}

/** The spec of a binding, or why nothing is done for it. */
export function readOwnSpec(binding: BindingObject, operator: Operator): ReadSpec {
    const read = readSpec(binding);
    const problem = read.spec && foreign(binding, read.spec, operator);
    return problem === undefined ? read : { problem };
}

function foreign(
    { metadata: { namespace = "default" } }: BindingObject,
    { ownershipMark, serviceName, serverGroup }: NonNullable<ReadSpec["spec"]>,
    { clusterId, userManagedGroups }: Operator,
): string | undefined {
    const own = ownerKey(typeOf(serverGroup), { namespace, name: serviceName, clusterId });
    if (!sameOwner(ownershipMark, own))
        return `spec.ownershipMark: ${JSON.stringify(ownershipMark)} is not a mark of Service ${namespace}/${serviceName} in cluster ${clusterId}`;
    const listed = `${namespace}/${serverGroup.id}`;
    if (serverGroup.userManaged === true && !userManagedGroups.includes(listed))
        return `spec.serverGroup: ${serverGroup.id} is user-managed, and the controller was not started with --user-managed-group ${listed}`;
    return undefined;
}
