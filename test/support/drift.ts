/** Changes in the simulated cloud that Pulumi does not know of. */
import assert from "node:assert/strict";
import type { Session } from "../../lab";
import { type CloudBackend, stateOf } from "./world";

/**
 * Sets the weight of the first backend of a Service's vServer group to 77, and returns the group's id and the former
 * backend.
 */
export async function changeWeight(
    session: Session,
    service: string,
): Promise<{ readonly groupId: string; readonly backend: CloudBackend }> {
    const group = (await stateOf(session)).slb.vServerGroups.find(({ name }) => name.includes(`/${service}/`));
    const backend = group?.backends[0];
    assert.ok(group && backend);
    const servers = [
        {
            ServerId: backend.serverId,
            Port: String(backend.port),
            Weight: "77",
            Type: backend.type,
            Description: backend.description,
        },
    ];
    await session.cloud("/_console", {
        action: "SetVServerGroupAttribute",
        params: { VServerGroupId: group.id, BackendServers: JSON.stringify(servers) },
        as: "other",
    });
    return { groupId: group.id, backend };
}

/** A change that someone makes in the console. */
export interface Edit {
    /** Name of the edit in a failure. */
    readonly what: string;
    readonly product?: "Nlb" | "Ecs";
    readonly action: string;
    readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Makes each edit in turn. It fails if the cloud refuses an edit or the edit changes nothing. It returns the changed
 * places in the cloud's state for each edit.
 *
 * @param after is called after each edit, and changes nothing in the cloud
 */
export async function edit(
    session: Session,
    edits: readonly Edit[],
    after: (what: string) => Promise<void> = async () => undefined,
): Promise<ReadonlyMap<string, string[]>> {
    const changed = new Map<string, string[]>();
    let before = await leaves(session);
    for (const { what, ...call } of edits) {
        const answer = await session.cloud<{ status: number }>("/_console", { ...call, as: "other" });
        assert.equal(answer.status, 200, `${what}: ${JSON.stringify(answer)}`);
        const now = await leaves(session);
        changed.set(what, differences(before, now));
        assert.notDeepEqual(changed.get(what), [], `${what} has changed nothing`);
        before = now;
        await after(what);
    }
    return changed;
}

/** Returns the values of load balancers, listeners, groups and lists, by their places in the cloud's state. */
export async function leaves(session: Session): Promise<ReadonlyMap<string, string>> {
    const { slb, nlb, ecs } = await stateOf(session);
    const { loadBalancers, listeners, vServerGroups, acls, domainExtensions } = slb;
    const found = new Map<string, string>();
    const walk = (value: unknown, place: string): void => {
        if (value === null || typeof value !== "object") {
            found.set(place, JSON.stringify(value));
            return;
        }
        for (const [key, item] of Object.entries(value)) {
            if (!OF_THE_MOMENT.has(key) && hasEffect(value, key)) walk(item, `${place}.${nameOf(item) ?? key}`);
        }
    };
    walk({ loadBalancers, listeners, vServerGroups, acls, domainExtensions }, "slb");
    walk({ loadBalancers: nlb.loadBalancers, listeners: nlb.listeners, serverGroups: nlb.serverGroups }, "nlb");
    walk({ securityGroups: ecs.securityGroups }, "ecs");
    return found;
}

/** Times, and ids that the cloud gives anew to what is removed and made again. */
const OF_THE_MOMENT = new Set(["id", "busyUntil", "lockedUntil", "createdAt", "enabledTime", "eniId"]);

/**
 * Attributes of CLBs and their listeners that mean nothing unless another attribute has some value. The cloud keeps
 * them.
 */
const UNLESS: readonly (readonly [attribute: RegExp, by: string, value: string])[] = [
    [/^ConnectionDrainTimeout$/, "ConnectionDrain", "on"],
    [/^(StickySessionType|CookieTimeout|Cookie)$/, "StickySession", "on"],
    [/^CookieTimeout$/, "StickySessionType", "insert"],
    [/^Cookie$/, "StickySessionType", "server"],
    [/^(HealthCheck(?!Type|Switch).+|.*Threshold)$/, "HealthCheck", "on"],
    [/^HealthCheck(URI|Domain|Method|HttpCode)$/, "HealthCheckType", "http"],
    [/^AclType$/, "AclStatus", "on"],
    // The API takes no bandwidth for an instance that is paid by traffic.
    [/^bandwidth$/, "internetChargeType", "paybybandwidth"],
];

/** Web listeners are checked by HTTP whatever their type says. */
function hasEffect(object: object, key: string): boolean {
    const attributes = object as Readonly<Record<string, unknown>>;
    if (key === "aclIds") return (attributes["attributes"] as typeof attributes)["AclStatus"] === "on";
    if (key !== "bandwidth" && !("AclStatus" in attributes)) return true;
    const isWeb = "StickySession" in attributes;
    return UNLESS.every(
        ([attribute, by, value]) =>
            !attribute.test(key) ||
            !(by in attributes) ||
            attributes[by] === value ||
            (by === "HealthCheckType" && isWeb),
    );
}

/** Returns the name that distinguishes an object from others in its list, whose order means nothing. */
function nameOf(item: unknown): string | undefined {
    if (typeof item !== "object" || item === null) return undefined;
    const { id, loadBalancerId, protocol, port, serverId, zoneId, policy, sourceCidrIp } = item as Record<
        string,
        unknown
    >;
    if (typeof policy === "string") return `${policy} ${String(sourceCidrIp)}`;
    if (typeof serverId === "string") return `${serverId}:${String(port)}`;
    if (typeof zoneId === "string") return zoneId;
    if (typeof id === "string") return id;
    return loadBalancerId === undefined ? undefined : [loadBalancerId, protocol, port].join(":");
}

/** Places whose values differ, or that only one of the two has. */
export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
    const places = new Set([...before.keys(), ...after.keys()]);
    return [...places].filter((place) => before.get(place) !== after.get(place)).sort();
}
