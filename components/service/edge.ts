import * as pulumi from "@pulumi/pulumi";
import { checkEdgeNodes, type ClusterView } from "../../provider/backend";
import { formatSentences, isError } from "../../provider/diagnostics";
import type { AnyContext } from "./context";
import { clusterFailure } from "./failures";

/** Tells what nodes and pods at the edge mean for the Service, and gives what its contract has to refuse, a cluster that cannot be read among it; undefined if nothing. */
export function checkEdge(context: AnyContext): pulumi.Output<readonly string[] | undefined> {
    return pulumi.all([context.live, context.known]).apply(async ([{ failure }, service]) => {
        if (failure !== undefined) {
            return [failure];
        }
        let view: ClusterView;
        try {
            view = await context.cluster.edgeView(service);
        } catch (error) {
            return [clusterFailure(error)];
        }
        const diagnostics = checkEdgeNodes(service, context.cluster.facts, view);
        for (const diagnostic of diagnostics) {
            if (diagnostic.severity === "warning") {
                const text = formatSentences(diagnostic);
                void pulumi.log.warn(`Service ${context.subject}: ${text}`, context.parent);
            } else if (diagnostic.severity === "info") {
                void pulumi.log.info(`Service ${context.subject}: ${diagnostic.cause}`, context.parent);
            }
        }
        const errors = diagnostics.filter(isError).map(formatSentences);
        return errors.length === 0 ? undefined : errors;
    });
}
