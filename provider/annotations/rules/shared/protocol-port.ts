/** `protocol-port` has to fit the ports of the Service. */

import type { Finding } from "../../finding";
import { transportOf } from "../../../schema/protocols";
import { clbDocument } from "../../../schema/documents";
import type { Rule } from "../context";

const SOURCE = clbDocument("Create an HTTP listener");

export const protocolPort: Rule = ({ settings, ports }) => {
    const findings: Finding[] = [];
    const refuse = (message: string, remedy: string): void => {
        findings.push({
            code: "annotation-port",
            severity: "error",
            at: "protocolPort",
            message,
            remedy,
            source: SOURCE,
        });
    };
    const seen = new Map<string, string>();
    for (const { protocol, port } of settings.protocolPort ?? []) {
        const entry = `${protocol}:${port}`;
        const transport = transportOf(protocol);
        const listener = `${transport}:${port}`;
        const earlier = seen.get(listener);
        if (earlier !== undefined) refuse(`"${entry}" and "${earlier}" speak of the same port`, "keep one of them");
        else seen.set(listener, entry);
        if (
            ports === undefined ||
            ports.some((candidate) => candidate.port === port && candidate.protocol === transport)
        )
            continue;
        const other = ports.find((candidate) => candidate.port === port);
        if (other === undefined)
            refuse(
                `"${entry}" names port ${port}, which the Service does not have`,
                `use one of ${ports.map((candidate) => candidate.port).join(", ")}, or add the port to spec.ports`,
            );
        else
            refuse(
                `"${entry}" needs a ${transport} port, but port ${port} of the Service is ${other.protocol}`,
                `change the protocol of port ${port} in spec.ports, or remove the entry`,
            );
    }
    return findings;
};
