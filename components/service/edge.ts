import * as pulumi from "@pulumi/pulumi";
import { checkEdgeNodes } from "../../provider/backend";
import { formatSentences, isError } from "../../provider/diagnostics";
import { type AnyContext, childName } from "./context";

/** Tells what nodes and pods at the edge mean for the Service, and gives what its contract has to refuse; undefined if nothing. */
export function checkEdge(context: AnyContext): pulumi.Output<readonly string[] | undefined> {
    return context.view.apply((view) => {
        const diagnostics = checkEdgeNodes(context.service, context.cluster.facts, view);
        for (const diagnostic of diagnostics) {
            if (diagnostic.severity === "warning") {
                const text = formatSentences(diagnostic);
                void pulumi.log.warn(`Service ${childName(context)}: ${text}`, context.parent);
            } else if (diagnostic.severity === "info") {
                void pulumi.log.info(`Service ${childName(context)}: ${diagnostic.cause}`, context.parent);
            }
        }
        const errors = diagnostics.filter(isError).map(formatSentences);
        return errors.length === 0 ? undefined : errors;
    });
}
