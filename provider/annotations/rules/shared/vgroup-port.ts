/** `vgroup-port` has to fit the ports of the Service. */

import { anyRowOf } from "../../catalogue";
import { collector } from "../../../diagnostics";
import type { Rule } from "../context";

export const vgroupPort: Rule = ({ settings, ports }) => {
    const report = collector("annotation-port", { source: anyRowOf("vgroupPort").source });
    const seen = new Set<number>();
    for (const { vgroupId, port } of settings.vgroupPort ?? []) {
        const entry = `${vgroupId}:${port}`;
        if (seen.has(port))
            report.error("vgroupPort", `"${entry}" is the second entry for port ${port}`, "keep one of them");
        seen.add(port);
        if (ports === undefined || ports.some((candidate) => candidate.port === port)) continue;
        report.error(
            "vgroupPort",
            `"${entry}" names port ${port}, which the Service does not have`,
            `use one of ${ports.map((candidate) => candidate.port).join(", ")}, or add the port to spec.ports`,
        );
    }
    return report.diagnostics;
};
