import * as pulumi from "@pulumi/pulumi";
import { groupBackends } from "../provider/backends";
import { ServerGroupBackends } from "../provider/dynamic";
import { type Context, childName, regionArg } from "./context";
import type { PlacedGroup } from "./servergroup";

/** The backends of each vServer group, by the group's key, computed from what the cluster says at the moment, so that a preview shows them line by line. */
export function createBackends(context: Context, groups: Readonly<Record<string, PlacedGroup>>): Record<string, ServerGroupBackends> {
    return Object.fromEntries(Object.entries(groups).map(([key, group]) => [key, createGroupBackends(context, group)]));
}

function createGroupBackends(context: Context, group: PlacedGroup): ServerGroupBackends {
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
            serverGroupId: group.resource.id,
            description: group.mark,
            ...(group.nodePort === undefined ? {} : { port: group.nodePort }),
            backends,
            ...(context.service.settings.ignoreWeightUpdate === "on" ? { ignoreWeights: true } : {}),
            ...(context.allowEmpty ? { allowEmpty: true } : {}),
            ...regionArg(context),
        },
        { parent: context.parent, deletedWith: group.resource },
    );
}
