import * as pulumi from "@pulumi/pulumi";
import { groupBackends } from "../provider/backends";
import { ServerGroupBackends } from "../provider/dynamic";
import { type Context, childName, regionArg } from "./context";
import type { PlacedInstance } from "./instance";
import type { PlacedGroup } from "./servergroup";

/** The backends of each vServer group, by the group's key, computed from what the cluster says at the moment, so that a preview shows them line by line. */
export function createBackends(context: Context, groups: Readonly<Record<string, PlacedGroup>>, instance: PlacedInstance): Record<string, ServerGroupBackends> {
    return Object.fromEntries(Object.entries(groups).map(([key, group]) => [key, createGroupBackends(context, group, instance)]));
}

function createGroupBackends(context: Context, group: PlacedGroup, instance: PlacedInstance): ServerGroupBackends {
    const backends = pulumi.output(context.view).apply((view) => {
        const found = groupBackends(context.service, group.model, context.cluster.facts, view);
        for (const note of found.notes) {
            const kept = note.code === "no-backends" && !context.allowEmpty ? " Backends that are there stay; allowEmpty removes them." : "";
            void pulumi.log.warn(`Service ${childName(context)}: ${note.message}.${kept}`, context.parent);
        }
        return found.backends;
    });
    return new ServerGroupBackends(
        childName(context, group.model.key),
        {
            serverGroupId: group.id,
            description: group.mark,
            ...(group.nodePort === undefined ? {} : { port: group.nodePort }),
            backends,
            ...(context.service.settings.ignoreWeightUpdate === "on" ? { ignoreWeights: true } : {}),
            ...(context.allowEmpty ? { allowEmpty: true } : {}),
            ...regionArg(context),
        },
        // Backends go with a group of the Service's own; from a group of somebody else they are removed one by one.
        { parent: context.parent, ...(group.resource === undefined ? { dependsOn: instance.resource } : { deletedWith: group.resource }) },
    );
}
