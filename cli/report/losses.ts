/** Public addresses that a change releases, Services that are renamed, and changes of what is paid for. */

import { isDeepStrictEqual } from "node:util";
import { zoneSetting } from "../../provider/plan/interruptions";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import { NLB_INSTANCE_TYPE } from "../../provider/schema/resource-types";
import { type Bundle, loses, zonesOf } from "./gather";
import type { BillingChange, LoadBalancerReport } from "./model";
import {
    leavesStack,
    numberOf,
    recordOf,
    recordsOf,
    type Resource,
    type ResourceState,
    staysBehind,
    textOf,
} from "./step";

/** A deleted Service and a new Service with the same spec. */
type Rename = Readonly<Record<"from" | "to", Bundle>>;

/** Returns the Services that are renamed. Ambiguous pairs are left out. */
export function renamesOf(bundles: readonly Bundle[]): Rename[] {
    const own = bundles.filter(({ instance }) => instance !== undefined);
    const left = own.filter(({ component }) => leavesStack(component));
    const came = own.filter(({ component }) => component.change === "create");
    return left.flatMap((from) => {
        const isSame = ({ component }: Bundle): boolean => isDeepStrictEqual(specOf(from.component), specOf(component));
        const [to, ...further] = came.filter(isSame);
        return to === undefined || further.length > 0 || left.filter(isSame).length > 1 ? [] : [{ from, to }];
    });
}

function specOf({ before, after }: Resource): Record<string, unknown> {
    const { service: _, protect: _protect, ...spec } = (after ?? before)?.inputs ?? {};
    return spec;
}

/** Returns the public addresses that a Service releases, or undefined if it keeps or has none. */
export function lossOf(bundle: Bundle, loadBalancer: LoadBalancerReport | null, renames: readonly Rename[]) {
    const { instance, subject } = bundle;
    if (instance === undefined || staysBehind(instance) || loadBalancer?.before?.public !== true) return undefined;
    const { change } = loadBalancer;
    const whole = change === "delete" || change === "replace";
    const addresses = whole
        ? [loadBalancer.before.value, ...publicAddresses(bundle).map(({ address }) => address)]
        : leftZones(bundle, loadBalancer.after?.public === true);
    const address = [...new Set(addresses.filter((one) => one !== null))].join(", ");
    if (address === "" && !whole) return undefined;
    const rename = renames.find(({ from }) => from === bundle);
    const kind = !whole ? "zone" : changesType(bundle) ? "type" : change;
    return {
        subject,
        address: address === "" ? "its public address" : address,
        cause: whole ? causeOf(bundle, rename) : "the load balancer gives up its address in a zone",
        remedy: rename === undefined ? REMEDIES[kind] : renameRemedy(rename),
    };
}

const changesType = (bundle: Bundle): boolean => bundle.component.change === "update" && loses(bundle);

function causeOf(bundle: Bundle, rename: Rename | undefined): string {
    const { component, name } = bundle;
    if (changesType(bundle)) return "its type changes, and its load balancer is deleted";
    if (rename !== undefined)
        return `${name} is deleted, and ${rename.to.name} is created with the same spec: this looks like a rename`;
    return component.change === "delete"
        ? "it is deleted, and its load balancer with it"
        : "its load balancer is deleted, and another one is made";
}

const REMEDIES = {
    delete:
        'keep the Service, or set the annotation preserve-lb-on-delete to "true" in an update before, which keeps ' +
        "the load balancer; to leave it to the Cloud Controller Manager, set handBack in an update before",
    type: "keep the type LoadBalancer",
    zone:
        "keep the zone and the kind of address, or name your elastic IP address for the zone in zone-maps, which " +
        "you keep",
    replace:
        "undo the change that needs a new load balancer, or inform clients before, and lower the TTL of DNS " +
        "records that name the address",
};

/** A stack of manifests names its components after their Services, and has no resource options. */
const renameRemedy = ({ from, to }: Rename): string =>
    from.component.name === from.name
        ? `keep the name ${from.name}: the load balancer and its address belong to it, and a stack has no setting ` +
          "that moves them to another name"
        : `keep the name ${from.name}, or give ${to.name} the resource option aliases: ` +
          `[{ name: "${from.component.name}" }], with which it keeps the load balancer; look at the preview again`;

/** Returns the public addresses of an NLB by zone, as recorded when its zones changed last, without the user's. */
function publicAddresses(bundle: Bundle) {
    const { type, before } = bundle.instance ?? {};
    if (type !== NLB_INSTANCE_TYPE) return [];
    const zones = zonesOf(bundle)?.before;
    const recorded = recordOf(zones?.outputs, "publicAddresses");
    const found =
        recorded === undefined
            ? recordsOf(before?.outputs, "zoneMappings").map(
                  (mapping) => [textOf(mapping, "zoneId"), textOf(mapping, "publicIpv4Address")] as const,
              )
            : Object.keys(recorded).map((zone) => [zone, textOf(recorded, zone)] as const);
    const isUsers = (zone: string): boolean => textOf(zones?.inputs, "zones", zone, "allocationId") !== undefined;
    return found.flatMap(([zone, address]) =>
        zone === undefined || address === undefined || isUsers(zone) ? [] : [{ zone, address }],
    );
}

/** Returns addresses of the zones that an NLB leaves or changes, or of all zones if it becomes internal. */
function leftZones(bundle: Bundle, staysPublic: boolean): string[] {
    const zones = zonesOf(bundle);
    if (zones?.before === undefined) return [];
    const [before = {}, after = {}] = [zones.before, zones.after].map((state) => recordOf(state?.inputs, "zones"));
    return publicAddresses(bundle)
        .filter(({ zone }) => !staysPublic || !(isDeepStrictEqual(before[zone], after[zone]) || fits(bundle, zone)))
        .map(({ address }) => address);
}

/** True if the contract found that an NLB has the addresses of a zone already. */
function fits({ contract }: Bundle, zoneId: string): boolean {
    const [was, is] = ["disruptiveBefore", "disruptive"].map((settings) =>
        textOf(contract?.after?.inputs, settings, zoneSetting({ zoneId })),
    );
    return was !== undefined && was === is;
}

/** Returns the billing changes of the Service's own load balancer, none if it is user-managed or shared. */
export function billingOf({ instance }: Bundle, loadBalancer: LoadBalancerReport | null): BillingChange[] {
    if (instance === undefined || loadBalancer === null) return [];
    const { kind, change, before, after } = loadBalancer;
    // Only its manager changes: it is still billed.
    if (change === "keep" || change === "import") return [];
    const former = staysBehind(instance) ? {} : paidFor(kind, instance.before, before?.public === true);
    const next = paidFor(kind, change === "delete" ? undefined : instance.after, after?.public === true);
    return Object.keys({ ...former, ...next }).flatMap((what): BillingChange[] => {
        const [was, is] = [former[what], next[what]];
        if ((was ?? 0) === (is ?? 0)) return [];
        return [{ what, change: was === undefined ? "starts" : is === undefined ? "stops" : "changes" }];
    });
}

function paidFor(kind: LoadBalancerType, state: ResourceState | undefined, isPublic: boolean): Record<string, number> {
    if (state === undefined) return {};
    const { inputs } = state;
    if (kind === "nlb") {
        const addresses = recordsOf(inputs, "zoneMappings").length;
        return { "an NLB, by usage": 1, ...(isPublic && { "a public address in each zone": addresses }) };
    }
    const charge = textOf(inputs, "instanceChargeType") ?? "PayBySpec";
    const spec = charge === "PayBySpec" ? `:${textOf(inputs, "loadBalancerSpec") ?? "default"}` : "";
    const byBandwidth = textOf(inputs, "internetChargeType")?.toLowerCase() === "paybybandwidth";
    const traffic: Readonly<Record<string, number>> = byBandwidth
        ? { "bandwidth in Mbit/s": numberOf(inputs, "bandwidth") ?? 1 }
        : { "traffic to the Internet": 1 };
    return { [`a CLB (${charge}${spec})`]: 1, ...(isPublic && traffic) };
}
