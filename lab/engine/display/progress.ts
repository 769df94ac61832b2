import type { Display, DisplayOptions } from "./display";
/** placeholder until the row display is written */
export function progressDisplay(o: DisplayOptions): Display {
    return {
        sink: (e) => {
            if (e.kind === "begin" && !e.step.internal && e.step.op !== "same") o.write(` ${e.step.op} ${e.step.type} ${e.step.urn.split("::").pop()}\n`);
            if (e.kind === "diagnostic" && !e.ephemeral) o.write(`  ${e.severity}: ${e.message}`);
            if (e.kind === "summary") o.write(`Resources:\n${Object.entries(e.changes).map(([k, v]) => `    ${v} ${k}\n`).join("")}`);
        },
        finish: () => undefined,
    };
}
