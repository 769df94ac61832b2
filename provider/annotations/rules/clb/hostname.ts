/** A host name in place of the address. */

import { diagnostic } from "../../../diagnostics";
import { clbDocument } from "../../../schema/documents";
import { hasListener, type Rule } from "../context";

/** With a host name, traffic from within the cluster is sent to the load balancer and back. */
export const hostname: Rule = (context) => {
    if (
        context.settings.hostname === undefined ||
        context.protocols === undefined ||
        !hasListener(context, "tcp", "udp")
    )
        return [];
    return [
        diagnostic({
            code: "annotation-effect",
            severity: "warning",
            about: "hostname",
            cause: "a pod that reaches itself through a TCP or UDP listener may get no answer, because its own address comes back to it",
            remedy: "use HTTP or HTTPS listeners, or keep clients and backends on different nodes",
            source: clbDocument("Set a hostname for the Service"),
        }),
    ];
};
