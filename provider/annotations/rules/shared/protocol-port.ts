/** `protocol-port` has to fit the ports of the Service. */

import { collector } from "../../../diagnostics";
import { transportOf } from "../../../schema/protocols";
import { clbDocument } from "../../../schema/documents";
import type { Rule } from "../context";

const SOURCE = clbDocument("Create an HTTP listener");

export const protocolPort: Rule = ({ settings, ports }) => {
    const report = collector("annotation-port", { source: SOURCE });
    const seen = new Map<string, string>();
    for (const { protocol, port } of settings.protocolPort ?? []) {
        const entry = `${protocol}:${port}`;
        const transport = transportOf(protocol);
        const listener = `${transport}:${port}`;
        const earlier = seen.get(listener);
        if (earlier !== undefined)
            report.error("protocolPort", `"${entry}" and "${earlier}" name the same port`, "keep one of them");
        else seen.set(listener, entry);
        if (
            ports === undefined ||
            ports.some((candidate) => candidate.port === port && candidate.protocol === transport)
        )
            continue;
        const other = ports.find((candidate) => candidate.port === port);
        if (other === undefined)
            report.error(
                "protocolPort",
                `"${entry}" names port ${port}, which the Service does not have`,
                `use one of ${ports.map((candidate) => candidate.port).join(", ")}, or add the port to spec.ports`,
            );
        else
            report.error(
                "protocolPort",
                `"${entry}" needs a ${transport} port, but port ${port} of the Service is ${other.protocol}`,
                `change the protocol of port ${port} in spec.ports, or remove the entry`,
            );
    }
    return report.diagnostics;
};
