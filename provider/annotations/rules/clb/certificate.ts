/** HTTPS listeners need a certificate, and speak plain HTTP to their backends. */

import { collector } from "../../../diagnostics";
import { clbDocument } from "../../../schema/documents";
import { keyOf, type Rule } from "../context";

const SOURCE = clbDocument("Create an HTTPS listener");

export const certificate: Rule = ({ settings, attempted, ports, protocols }) => {
    const https = (ports ?? []).flatMap((port, index) => (protocols?.[index] === "https" ? [{ ...port, index }] : []));
    const report = collector("annotation-companion", { source: SOURCE });
    if (https.length > 0 && !attempted.has("certId")) {
        report.error(
            "protocolPort",
            `an HTTPS listener (port ${https.map((port) => port.port).join(", ")}) needs ${keyOf("certId")}`,
            `add ${keyOf("certId")} with the id of a certificate`,
        );
    }
    for (const { port, targetPort, index } of https) {
        if (targetPort !== 443 || settings.protocolPort === undefined) continue;
        report.warning(
            ["spec", "ports", index, "targetPort"],
            `the HTTPS listener on port ${port} decrypts, so that target port 443 gets plain HTTP`,
            "point targetPort to a port that speaks HTTP",
            { code: "annotation-effect" },
        );
    }
    return report.diagnostics;
};

/** A domain has one certificate; the cloud would refuse the second one, after the first is there. */
export const domains: Rule = ({ settings }) => {
    const report = collector("annotation-value", {
        source: clbDocument("Configure multiple certificates for an HTTPS listener"),
    });
    const seen = new Set<string>();
    for (const domain of (settings.domainExtensions ?? []).map((entry) => entry.domain.toLowerCase())) {
        if (seen.has(domain))
            report.error(
                "domainExtensions",
                `the domain "${domain}" is there twice`,
                "keep one certificate for the domain",
            );
        seen.add(domain);
    }
    return report.diagnostics;
};
