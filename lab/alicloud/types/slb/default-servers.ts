/** Members of a load balancer's default group. */
import type { Client } from "../../sdk/client";
import { failed } from "../../sdk/errors";
import type { ValueMap } from "../../terraform/value";

/** Members per call. */
const step = 20;

/** A member as the API takes it: JSON with single quotes. */
export function memberText(server: ValueMap, withAddress: boolean): string {
    const address = String(server["server_ip"] ?? "").trim();
    const suffix = withAddress && address !== "" ? `, 'ServerIp':'${address}'` : "";
    return `{'ServerId':'${String(server["server_id"]).trim()}','Weight':'${String(server["weight"])}', 'Type': '${String(server["type"]).trim()}'${suffix}}`;
}

/**
 * Slices of 20. A whole number of slices is followed by an empty one; where the request is reused
 * its call repeats the slice before it, else it goes out without the parameter.
 */
export function slices(members: readonly string[], reusesRequest: boolean): string[] {
    const result: string[] = [];
    for (let i = 0; i < Math.floor(members.length / step) + 1; i++) {
        const part = members.slice(i * step, (i + 1) * step);
        const before = reusesRequest ? (result.at(-1) ?? "") : "";
        result.push(part.length === 0 ? before : `[${part.join(",")}]`);
    }
    return result;
}

export async function callForServers(
    client: Client,
    loadBalancerId: string,
    action: string,
    place: string,
    BackendServers: string,
): Promise<void> {
    try {
        await client.typed(action, { LoadBalancerId: loadBalancerId, BackendServers });
    } catch (error) {
        throw failed(error, place, loadBalancerId, action);
    }
}
