/** Versions of the Cloud Controller Manager and of Kubernetes, and how they are ordered. */

/** The newest Cloud Controller Manager version whose behaviour this package follows. */
export const NEWEST_CCM = "v2.13.0";

/** From this Cloud Controller Manager version on several Services can use one existing instance. Source: "FAQ about Services", why does reusing a CLB instance fail. */
export const SHARING_SINCE = "v1.9.3.105-gfd4e547-aliyun";

/** `major.minor.patch[.build]` as numbers; a missing part is 0. */
export type VersionNumbers = readonly [number, number, number, number];

const CCM = /^[vV]?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(?:[-+][0-9A-Za-z.+-]*)?$/;

/**
 * Reads a Cloud Controller Manager version. These are not semantic versions: `v1.9.3.105-gfd4e547-aliyun` has a build number
 * that takes part in the order and a suffix that does not. `V` and a missing `v` are accepted; a bare `v1.9.3` is build 0.
 *
 * @returns `undefined` if the text is not such a version.
 */
export function parseCcmVersion(text: string): VersionNumbers | undefined {
    const match = CCM.exec(text);
    if (match === null) return undefined;
    return [Number(match[1]), Number(match[2]), Number(match[3]), Number(match[4] ?? 0)];
}

/**
 * Orders two Cloud Controller Manager versions by their numbers: negative if `a` is older, 0 if they are the same, positive if `a` is newer.
 * Suffixes do not count, and 1.9.3.81 is older than 1.9.3.105.
 *
 * @throws RangeError if one of the texts is not a version; check user input with {@link parseCcmVersion} first.
 */
export function compareVersions(a: string, b: string): number {
    const [left, right] = [numbersOf(a), numbersOf(b)];
    for (let part = 0; part < 4; part++) {
        const difference = (left[part] ?? 0) - (right[part] ?? 0);
        if (difference !== 0) return difference;
    }
    return 0;
}

function numbersOf(text: string): VersionNumbers {
    const numbers = parseCcmVersion(text);
    if (numbers === undefined) throw new RangeError(`not a Cloud Controller Manager version: ${text}`);
    return numbers;
}

/** True if `version` is `minimum` or newer. Throws like {@link compareVersions}. */
export const isAtLeast = (version: string, minimum: string): boolean => compareVersions(version, minimum) >= 0;

/** Reads the major and minor number of a Kubernetes version such as `v1.34.1`, `1.24+` or `v1.30.7-aliyun.1`. */
export function parseKubernetesVersion(text: string): readonly [major: number, minor: number] | undefined {
    const match = /^v?(\d{1,9})\.(\d{1,9})(?:\D.*)?$/.exec(text);
    return match === null ? undefined : [Number(match[1]), Number(match[2])];
}
