/** Annotation keys: those that are known or misspelt, and those of others. */

import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { SettingName } from "../../schema/settings";
import { anyRowOf, external, type ExternalRow, rowOf, settingNames } from "./catalogue";
import { closest, closestName, isSlip } from "./closest";
import type { Row } from "./row";

/** Prefix of every annotation key that this package reads. */
export const PREFIX = "service.beta.kubernetes.io/";

const CURRENT = "alibaba-cloud-";
const LEGACY = "alicloud-";

/** Keys of the virtual node controller. Source: ACK, "Synchronize DNS records of Services to PrivateZone". */
const PRIVATE_ZONE = /^(?:alibaba-cloud|alicloud)-private-zone-/;

export const keyOf = (row: Pick<Row, "suffix">): string => PREFIX + row.suffix;

export const keyOfSetting = (field: SettingName): string => keyOf(anyRowOf(field));

/** Returns the legacy key of a row, or `undefined` if it never had one. */
export const legacyKeyOf = (row: Pick<Row, "suffix" | "noLegacyKey">): string | undefined =>
    row.suffix.startsWith(CURRENT) && row.noLegacyKey !== true
        ? PREFIX + LEGACY + row.suffix.slice(CURRENT.length)
        : undefined;

type Recognised =
    | { readonly kind: "setting"; readonly row: Row; readonly legacy: boolean }
    | { readonly kind: "elsewhere"; readonly row: Pick<Row, "suffix" | "source"> }
    | { readonly kind: "external"; readonly row: ExternalRow }
    | { readonly kind: "unknown"; readonly nearest: string | undefined }
    /** Not an annotation of Alibaba Cloud's load balancers. */
    | { readonly kind: "other" };

function knownKeys(type: LoadBalancerType): ReadonlyMap<string, Recognised> {
    const known = new Map<string, Recognised>();
    for (const row of external)
        known.set(keyOf(row), row.types.includes(type) ? { kind: "external", row } : { kind: "elsewhere", row });
    for (const field of settingNames) {
        const row = rowOf(field, type);
        const any = anyRowOf(field);
        const meaning = (legacy: boolean): Recognised =>
            row === undefined ? { kind: "elsewhere", row: any } : { kind: "setting", row, legacy };
        known.set(keyOf(any), meaning(false));
        const legacy = legacyKeyOf(any);
        if (legacy !== undefined) known.set(legacy, meaning(true));
    }
    return known;
}

const KNOWN = { clb: knownKeys("clb"), nlb: knownKeys("nlb") };
const CURRENT_KEYS = [...settingNames.map(keyOfSetting), ...external.map(keyOf)];

/**
 * Recognises an annotation key. A key with this package's prefix, or a slip of it, that names a load balancer or this
 * cloud must be known. The same holds for a key that is a documented suffix without the prefix, or a letter or two off
 * a known key.
 */
export function recognise(key: string, type: LoadBalancerType = "clb"): Recognised {
    const known = KNOWN[type].get(key);
    if (known !== undefined) return known;
    const prefix = key.slice(0, key.indexOf("/") + 1);
    const prefixed = isSlip(prefix, PREFIX);
    const name = prefixed ? key.slice(prefix.length) : key;
    if (PRIVATE_ZONE.test(name)) return { kind: "other" };
    if (name.startsWith(CURRENT) || name.startsWith(LEGACY) || (prefixed && namesLoadBalancer(name)))
        return unknownKey(name, type);
    if (prefixed && closest(name, ["backend-type"]) !== undefined)
        return { kind: "unknown", nearest: keyOfSetting("backendType") };
    return { kind: "other" };
}

/** True unless the load balancer is another cloud's, as in `volcengine-loadbalancer-subnet-id`. */
function namesLoadBalancer(name: string): boolean {
    const cloud = /^(.*?)-?loadbalancer/i.exec(name)?.[1];
    if (cloud === undefined) return false;
    return cloud === "" || /^ali/i.test(cloud) || closest(cloud, ["alibaba-cloud", "alicloud"]) !== undefined;
}

/** Returns an unknown key. Its nearest key is looked for when it is asked for: most readers only need the kind. */
const unknownKey = (name: string, type: LoadBalancerType): Recognised => ({
    kind: "unknown",
    get nearest() {
        const known = NEAREST[type].get(name);
        if (known !== undefined) return known.key;
        const key = nearestKey(name, type);
        if (NEAREST[type].size >= MOST_REMEMBERED) NEAREST[type].clear();
        NEAREST[type].set(name, { key });
        return key;
    },
});

/** Nearest keys of unknown names: each rule of the policy pack reads the annotations again. */
const NEAREST = {
    clb: new Map<string, { readonly key: string | undefined }>(),
    nlb: new Map<string, { readonly key: string | undefined }>(),
};

const MOST_REMEMBERED = 1_000;

const OWN_KEYS: Partial<Record<LoadBalancerType, readonly string[]>> = {};

function nearestKey(name: string, type: LoadBalancerType): string | undefined {
    const current = name.startsWith(LEGACY) ? CURRENT + name.slice(LEGACY.length) : name;
    const own = (OWN_KEYS[type] ??= CURRENT_KEYS.filter((key) => KNOWN[type].get(key)?.kind === "setting"));
    return closestName(current, own) ?? closestName(current, CURRENT_KEYS);
}
