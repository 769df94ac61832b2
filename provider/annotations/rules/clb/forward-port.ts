/** A redirect is from an HTTP listener of the Service to an HTTPS listener of the same Service. */

import { collector } from "../../../diagnostics";
import { clbDocument } from "../../../schema/documents";
import { keyOf, type Rule } from "../context";

export const forwardPort: Rule = ({ settings }) => {
    const mapped = settings.protocolPort;
    if (settings.forwardPort === undefined || mapped === undefined) return [];
    const report = collector("annotation-port", { source: clbDocument("Redirect HTTP to HTTPS") });
    const redirected = new Set<number>();
    for (const { http, https } of settings.forwardPort) {
        if (redirected.has(http))
            report.error("forwardPort", `port ${http} is redirected twice`, "keep one of the entries");
        redirected.add(http);
        for (const [port, protocol] of [
            [http, "http"],
            [https, "https"],
        ] as const) {
            if (mapped.some((entry) => entry.port === port && entry.protocol === protocol)) continue;
            report.error(
                "forwardPort",
                `port ${port} is no ${protocol.toUpperCase()} listener`,
                `add "${protocol}:${port}" to ${keyOf("protocolPort")}`,
            );
        }
    }
    return report.diagnostics;
};
