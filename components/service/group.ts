/** Server groups of a Service, of either load balancer type. */
import * as pulumi from "@pulumi/pulumi";
import type { Owner } from "../../provider/schema/names";
import type { ServerGroup } from "../../provider/schema/server-group";
import type { Marks } from "./marks";
import type { ServiceHandle } from "./service";

/** Server group, for its backends and listeners. */
export interface GroupHandle<Group extends pulumi.CustomResource = pulumi.CustomResource> {
    readonly model: ServerGroup;
    readonly id: pulumi.Output<string>;
    /** Undefined if the group is user-managed. */
    readonly resource: Group | undefined;
    /** Name of the group and mark of its backends. */
    readonly mark: pulumi.Output<string>;
    /** Port of backends without a port in their key. It is the nodePort, 0 for a port range, or undefined for pods. */
    readonly nodePort: pulumi.Output<number> | undefined;
}

/**
 * Creates the server groups, by key. User-managed groups have no resource.
 *
 * @param markOf name of a group, from its backends' port
 */
export function createGroups<Model extends ServerGroup, Group extends pulumi.CustomResource>(
    models: readonly Model[],
    { handle, marks }: { readonly handle: ServiceHandle; readonly marks: Marks },
    markOf: (port: number | string, owner: Owner, model: Model) => string,
    create: (model: Model, name: pulumi.Output<string>) => Group,
): Record<string, GroupHandle<Group>> {
    return Object.fromEntries(
        models.map((model) => {
            const nodePort = handle.nodePortOf(model);
            const port = pulumi.output<number | string | undefined>(nodePort ?? model.range ?? model.backendPort);
            const mark = pulumi.all([port, marks.owner]).apply(([text, owner]) => markOf(text ?? "", owner, model));
            const resource = model.joined === undefined ? create(model, mark) : undefined;
            const id = resource?.id ?? pulumi.output(model.joined ?? "");
            const zero = model.anyPort ? pulumi.output(0) : undefined;
            return [model.key, { model, id, resource, mark, nodePort: nodePort ?? zero }];
        }),
    );
}

/** Returns the managed groups by key. User-managed groups have no resource. */
export function groupResources<Group extends pulumi.CustomResource>(
    groups: Readonly<Record<string, GroupHandle<Group>>>,
): Record<string, Group> {
    return Object.fromEntries(
        Object.entries(groups).flatMap(([key, { resource }]) => (resource === undefined ? [] : [[key, resource]])),
    );
}
