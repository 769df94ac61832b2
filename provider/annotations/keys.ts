/** Annotation keys: which are ours, and what to do about those that almost are. */

import { allRows, external, type ExternalRow } from "./catalogue";
import { closest } from "./closest";
import type { Row } from "./row";
import type { SettingName } from "./settings";

/** What every annotation key of ours starts with. */
export const PREFIX = "service.beta.kubernetes.io/";

const CURRENT = "alibaba-cloud-";
const LEGACY = "alicloud-";

/** Other clouds use the same prefix; these are the names of theirs that speak of a "loadbalancer" in one word. */
const OTHER_CLOUDS = ["do-loadbalancer-", "linode-loadbalancer-", "scw-loadbalancer-", "vultr-loadbalancer-"];

/** The full key of a row. */
export const keyOf = (row: Pick<Row, "suffix">): string => PREFIX + row.suffix;

/** The legacy key of a row, `undefined` if it never had one. */
export function legacyKeyOf(row: Pick<Row, "suffix">): string | undefined {
    return row.suffix.startsWith(CURRENT) ? PREFIX + LEGACY + row.suffix.slice(CURRENT.length) : undefined;
}

/** What an annotation key turned out to be. */
export type Recognised =
    | { readonly kind: "setting"; readonly row: Row; readonly legacy: boolean }
    | { readonly kind: "external"; readonly row: ExternalRow }
    | { readonly kind: "unknown"; readonly nearest: string | undefined }
    /** None of our business. */
    | { readonly kind: "foreign" };

const KNOWN = new Map<string, Recognised>();
for (const row of external) {
    KNOWN.set(keyOf(row), { kind: "external", row });
    if (row.product === "NLB") KNOWN.set(legacyKeyOf(row) ?? keyOf(row), { kind: "external", row });
}
for (const row of allRows) {
    KNOWN.set(keyOf(row), { kind: "setting", row, legacy: false });
    const legacy = legacyKeyOf(row);
    if (legacy !== undefined) KNOWN.set(legacy, { kind: "setting", row, legacy: true });
}

const CURRENT_KEYS = [...allRows, ...external].map(keyOf);

/**
 * Recognises an annotation key. A key with our prefix that speaks of a load balancer, or of this cloud, must be a known one; so must a key
 * that is a documented suffix without the prefix, or one or two letters off a known key.
 */
export function recognise(key: string): Recognised {
    const known = KNOWN.get(key);
    if (known !== undefined) return known;
    const name = key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key;
    if (OTHER_CLOUDS.some((cloud) => name.startsWith(cloud))) return { kind: "foreign" };
    const speaksOfUs = name.startsWith(CURRENT) || name.startsWith(LEGACY) || (key.startsWith(PREFIX) && /loadbalancer/i.test(name));
    if (speaksOfUs) return { kind: "unknown", nearest: nearestKey(name) };
    if (key.startsWith(PREFIX) && closest(name, ["backend-type"]) !== undefined) return { kind: "unknown", nearest: PREFIX + "backend-type" };
    return { kind: "foreign" };
}

function nearestKey(name: string): string | undefined {
    const current = name.startsWith(LEGACY) ? CURRENT + name.slice(LEGACY.length) : name;
    // The long common part would make all keys look alike; what counts is the rest.
    const rest = (text: string): string => text.replace(/^.*?loadbalancer-?/i, "");
    const nearest = closest(rest(current), CURRENT_KEYS.map(rest));
    return CURRENT_KEYS.find((key) => rest(key) === nearest);
}

/** The key of a setting's annotation. */
export function keyOfSetting(field: SettingName): string {
    const row = allRows.find((candidate) => candidate.field === field);
    if (row === undefined) throw new RangeError(`no such setting: ${field}`);
    return keyOf(row);
}
