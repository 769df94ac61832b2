/** Ports of a listener. */
import type { NlbListener } from "../nlb/listener";

/** Formats ports for names: `80`, or `80_100` for a range. */
export function portText(ports: NlbListener["ports"]): string {
    return typeof ports === "number" ? String(ports) : `${ports.from}_${ports.to}`;
}
