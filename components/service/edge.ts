import * as pulumi from "@pulumi/pulumi";
import { checkEdgeNodes } from "../../provider/backend";
import { type AnyContext, childName } from "./context";

/** Tells what nodes and pods at the edge mean for the Service, and gives what its contract has to refuse; undefined if nothing. */
export function checkEdge(context: AnyContext): pulumi.Output<readonly string[] | undefined> {
    return pulumi.output(context.view).apply((view) => {
        const { refusals, warnings, notes } = checkEdgeNodes(context.service, context.cluster.facts, view);
        for (const text of warnings) {
            void pulumi.log.warn(`Service ${childName(context)}: ${text}`, context.parent);
        }
        for (const text of notes) {
            void pulumi.log.info(`Service ${childName(context)}: ${text}`, context.parent);
        }
        return refusals.length === 0 ? undefined : refusals;
    });
}
