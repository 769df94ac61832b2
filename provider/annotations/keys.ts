/** Annotation keys: which ones this package reads, and what to do about those that are almost such. */

import type { LoadBalancerType } from "../schema/load-balancer-type";
import { anyRowOf, external, type ExternalRow, rowOf, settingNames } from "./catalogue";
import { closest } from "./closest";
import { nearest } from "./nearest";
import type { Row } from "./row";
import type { SettingName } from "../schema/settings";

/** What every annotation key that this package reads starts with. */
export const PREFIX = "service.beta.kubernetes.io/";

const CURRENT = "alibaba-cloud-";
const LEGACY = "alicloud-";

/** Read by the virtual node controller, which enters a Service's name into PrivateZone. Source: ACK, "Synchronize DNS records of Services to PrivateZone". */
const PRIVATE_ZONE = /^(?:alibaba-cloud|alicloud)-private-zone-/;

/** The full key of a row. */
export const keyOf = (row: Pick<Row, "suffix">): string => PREFIX + row.suffix;

/** The legacy key of a row, `undefined` if it never had one. */
export function legacyKeyOf(row: Pick<Row, "suffix" | "noLegacyKey">): string | undefined {
    return row.suffix.startsWith(CURRENT) && row.noLegacyKey !== true
        ? PREFIX + LEGACY + row.suffix.slice(CURRENT.length)
        : undefined;
}

/** What an annotation key turned out to be. */
export type Recognised =
    | { readonly kind: "setting"; readonly row: Row; readonly legacy: boolean }
    /** An annotation that only another kind of load balancer has. */
    | { readonly kind: "elsewhere"; readonly row: Pick<Row, "suffix" | "source"> }
    | { readonly kind: "external"; readonly row: ExternalRow }
    | { readonly kind: "unknown"; readonly nearest: string | undefined }
    /** Not an annotation of this cloud's load balancers. */
    | { readonly kind: "other" };

/** What the keys mean to one kind of load balancer. */
function knownTo(type: LoadBalancerType): Map<string, Recognised> {
    const known = new Map<string, Recognised>();
    for (const row of external)
        known.set(keyOf(row), row.types.includes(type) ? { kind: "external", row } : { kind: "elsewhere", row });
    for (const field of settingNames) {
        const row = rowOf(field, type);
        const any = anyRowOf(field);
        const legacy = legacyKeyOf(any);
        known.set(
            keyOf(any),
            row === undefined ? { kind: "elsewhere", row: any } : { kind: "setting", row, legacy: false },
        );
        if (legacy !== undefined)
            known.set(
                legacy,
                row === undefined ? { kind: "elsewhere", row: any } : { kind: "setting", row, legacy: true },
            );
    }
    return known;
}

const KNOWN: Readonly<Record<LoadBalancerType, ReadonlyMap<string, Recognised>>> = {
    clb: knownTo("clb"),
    nlb: knownTo("nlb"),
};

const CURRENT_KEYS = [...settingNames.map((field) => keyOf(anyRowOf(field))), ...external.map(keyOf)];

/**
 * Recognises an annotation key. A key with our prefix that speaks of a load balancer, or of this cloud, must be a known one; so must a key
 * that is a documented suffix without the prefix, or one or two letters off a known key.
 */
export function recognise(key: string, type: LoadBalancerType = "clb"): Recognised {
    const known = KNOWN[type].get(key);
    if (known !== undefined) return known;
    const name = key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key;
    if (PRIVATE_ZONE.test(name)) return { kind: "other" };
    const speaksOfUs = name.startsWith(CURRENT) || name.startsWith(LEGACY);
    if (speaksOfUs || (key.startsWith(PREFIX) && meansLoadBalancer(name)))
        return { kind: "unknown", nearest: nearestKey(name, type) };
    if (key.startsWith(PREFIX) && closest(name, ["backend-type"]) !== undefined)
        return { kind: "unknown", nearest: PREFIX + "backend-type" };
    return { kind: "other" };
}

/** Whether a name speaks of a load balancer, and not of another cloud's: those use the same prefix, as in `volcengine-loadbalancer-subnet-id`. */
function meansLoadBalancer(name: string): boolean {
    const cloud = /^(.*?)-?loadbalancer/i.exec(name)?.[1];
    if (cloud === undefined) return false;
    return cloud === "" || /^ali/i.test(cloud) || closest(cloud, ["alibaba-cloud", "alicloud"]) !== undefined;
}

/** The nearest annotation that this kind of load balancer has, else the nearest of all. */
function nearestKey(name: string, type: LoadBalancerType): string | undefined {
    const current = name.startsWith(LEGACY) ? CURRENT + name.slice(LEGACY.length) : name;
    const own = CURRENT_KEYS.filter((key) => KNOWN[type].get(key)?.kind === "setting");
    return nearest(current, own) ?? nearest(current, CURRENT_KEYS);
}

/** The key of a setting's annotation. */
export const keyOfSetting = (field: SettingName): string => keyOf(anyRowOf(field));
