/** Public addresses that a change releases, and Services that only change their name. */

import { isDeepStrictEqual } from "node:util";
import { NLB_INSTANCE_TYPE } from "../schema/resource-types";
import type { Bundle } from "./gather";
import type { Loss, SubjectReport } from "./model";
import { recordOf, recordsOf, type Resource, type ResourceState, textOf } from "./step";

/** A Service that leaves and one that comes, with the same spec. */
export interface Rename {
    readonly from: Bundle;
    readonly to: Bundle;
}

const GONE = /^(?:delete|keep)$/;

/** Services whose name alone changes. Two that could be the same are none: which one it is cannot be said. */
export function renamesOf(bundles: readonly Bundle[]): Rename[] {
    const own = bundles.filter(({ instance }) => instance !== undefined);
    const left = own.filter(({ component }) => GONE.test(component.change));
    const came = own.filter(({ component }) => component.change === "create");
    return left.flatMap((from) => {
        const same = (one: Bundle, other: Bundle): boolean =>
            isDeepStrictEqual(specOf(one.component), specOf(other.component));
        const [to, ...further] = came.filter((other) => same(from, other));
        const twins = left.filter((other) => same(from, other));
        return to === undefined || further.length > 0 || twins.length > 1 ? [] : [{ from, to }];
    });
}

/** A component's inputs but its name. */
function specOf({ before, after }: Resource): Record<string, unknown> {
    const { service: _, protect: _protect, ...spec } = (after ?? before)?.inputs ?? {};
    return spec;
}

/** What the change of a Service releases. */
export function lossesOf(
    bundle: Bundle,
    { loadBalancer }: Pick<SubjectReport, "loadBalancer">,
    renames: readonly Rename[],
): Loss[] {
    const { instance, subject } = bundle;
    if (instance === undefined || loadBalancer?.before?.public !== true) return [];
    const whole = loadBalancer.change === "delete" || loadBalancer.change === "replace";
    const addresses = whole
        ? [loadBalancer.before.value, ...publicAddresses(instance).map(({ address }) => address)]
        : leftZones(bundle, loadBalancer.after?.public === true);
    const address = [...new Set(addresses.filter((one) => one !== null))].join(", ");
    if (address === "" && !whole) return [];
    const rename = renames.find(({ from }) => from === bundle);
    return [
        {
            subject,
            address: address === "" ? "its public address" : address,
            cause: whole ? causeOf(bundle, rename) : "the load balancer gives up its address in a zone",
            remedy: rename === undefined ? remedyOf(whole ? loadBalancer.change : "zone") : renameRemedy(rename),
        },
    ];
}

function causeOf({ component, name }: Bundle, rename: Rename | undefined): string {
    if (rename !== undefined)
        return `${name} is deleted, and ${rename.to.name} is created with the same spec: this looks like a rename`;
    return component.change === "delete"
        ? "it is deleted, and its load balancer with it"
        : "its load balancer is deleted, and another one is made";
}

const REMEDIES: Readonly<Record<string, string>> = {
    delete: 'keep the Service, or set the annotation preserve-lb-on-delete to "true" in an update before, so that the load balancer stays',
    zone: "keep the zone and the kind of address, or name an elastic IP address of your own for the zone in zone-maps, which stays yours",
};

const remedyOf = (change: string): string =>
    REMEDIES[change] ??
    "take back what makes a new load balancer necessary, or tell clients before, and lower the TTL of DNS records that name the address";

const renameRemedy = ({ from, to }: Rename): string =>
    `keep the name ${from.name}, or, in a program, give ${to.name} the resource option aliases: [{ name: "${from.component.name}" }], so that it keeps the load balancer; look at the preview again`;

interface PublicAddress {
    readonly zone: string;
    readonly address: string;
}

/** Addresses of an NLB in its zones. An elastic IP address that the user has named stays the user's. */
function publicAddresses(instance: Resource, own: ReadonlySet<string> = new Set()): PublicAddress[] {
    if (instance.type !== NLB_INSTANCE_TYPE) return [];
    return recordsOf(instance.before?.outputs, "zoneMappings").flatMap((zone) => {
        const [id, address] = [textOf(zone, "zoneId"), textOf(zone, "publicIpv4Address")];
        const named = own.has(textOf(zone, "allocationId") ?? "");
        return id === undefined || address === undefined || named ? [] : [{ zone: id, address }];
    });
}

/** Addresses of zones that an NLB leaves or changes, or of all its zones where it becomes internal. */
function leftZones(bundle: Bundle, staysPublic: boolean): string[] {
    const { instance, others } = bundle;
    const zones = others.find(({ type }) => /:LoadBalancerZones$/.test(type));
    if (instance === undefined || zones?.before === undefined) return [];
    const [before, after] = [zonesOf(zones.before), zonesOf(zones.after)];
    const named = Object.values(before).flatMap((zone) => textOf(zone, "allocationId") ?? []);
    return publicAddresses(instance, new Set(named))
        .filter(({ zone }) => !staysPublic || !isDeepStrictEqual(before[zone], after[zone]))
        .map(({ address }) => address);
}

function zonesOf(state: ResourceState | undefined): Record<string, Readonly<Record<string, unknown>>> {
    const zones = recordOf(state?.inputs, "zones") ?? {};
    return Object.fromEntries(
        Object.keys(zones).flatMap((zone) => {
            const mapping = recordOf(zones, zone);
            return mapping === undefined ? [] : [[zone, mapping]];
        }),
    );
}
