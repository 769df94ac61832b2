/** HTTPS listeners need a certificate, and speak plain HTTP to their backends. */

import type { Finding } from "../../finding";
import { clbDocument } from "../../../schema/documents";
import { keyOf, type Rule } from "../context";

const SOURCE = clbDocument("Create an HTTPS listener");

export const certificate: Rule = ({ settings, attempted, ports, protocols }) => {
    const https = (ports ?? []).flatMap((port, index) => (protocols?.[index] === "https" ? [{ ...port, index }] : []));
    const findings: Finding[] = [];
    if (https.length > 0 && !attempted.has("certId")) {
        findings.push({
            code: "annotation-companion",
            severity: "error",
            at: "protocolPort",
            message: `an HTTPS listener (port ${https.map((port) => port.port).join(", ")}) needs ${keyOf("certId")}`,
            remedy: `add ${keyOf("certId")} with the id of a certificate`,
            source: SOURCE,
        });
    }
    for (const { port, targetPort, index } of https) {
        if (targetPort !== 443 || settings.protocolPort === undefined) continue;
        findings.push({
            code: "annotation-effect",
            severity: "warning",
            at: ["spec", "ports", index, "targetPort"],
            message: `the HTTPS listener on port ${port} decrypts, so that target port 443 gets plain HTTP`,
            remedy: "point targetPort to a port that speaks HTTP",
            source: SOURCE,
        });
    }
    return findings;
};
