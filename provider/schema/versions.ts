/** Newest CCM version that this package follows. */
export const NEWEST_CCM = "v2.15.0";

/** First CCM version of each behaviour that this package has as the version that it follows, besides annotations. */
export const CCM_SINCE = {
    /** Services share an instance. Source: "FAQ", why does reusing a CLB instance fail. */
    sharing: "v1.9.3.105-gfd4e547-aliyun",
    /** Weights follow the pods, in percent. Source: "FAQ about Services", node weights in Local mode. */
    percentWeights: "v1.9.3.164",
    /** The number of pods is the weight. Source: as above. */
    podCountWeights: "v1.9.3.276",
    /** Target ports of pods have names. Source: "FAQ about Services", error messages. */
    namedTargets: "v2.0.1",
    zeroWeight: "v2.1.0",
    /** Source: "Configure Network Load Balancer (NLB) Using Annotations", notes. */
    nlb: "v2.5.0",
    /** Load balancers are created in the cluster's resource group. Source: CCM release notes. */
    clusterGroup: "v2.9.1",
    /** An NLB of another VPC is reused. Source: CCM release notes. */
    crossVpc: "v2.9.1",
    tagsOnReused: "v2.10.0",
    severalLists: "v2.11.1",
    zoneAddresses: "v2.12.1",
    /** An internal CLB gets an available vSwitch. Source: "Configure CLB using annotations", internal CLB. */
    availableVSwitch: "v2.13.0",
} as const;

/** `major.minor.patch[.build]`, where a missing part is 0. */
type VersionNumbers = readonly [number, number, number, number];

const CCM = /^[vV]?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(?:[-+][0-9A-Za-z.+-]*)?$/;

/**
 * Parses a CCM version, or returns `undefined` for any other text. These are not semantic versions:
 * `v1.9.3.105-gfd4e547-aliyun` has a build number that counts and a suffix that does not. `V` and a missing `v` are
 * accepted, and a bare `v1.9.3` is build 0.
 */
export function parseCcmVersion(text: string): VersionNumbers | undefined {
    const match = CCM.exec(text);
    if (match === null) return undefined;
    return [Number(match[1]), Number(match[2]), Number(match[3]), Number(match[4] ?? 0)];
}

/**
 * Compares two CCM versions without their suffixes: negative if `a` is older, 0 if equal, positive if `a` is newer.
 *
 * @throws RangeError if either text is not a version. Check user input with {@link parseCcmVersion} first.
 */
export function compareVersions(a: string, b: string): number {
    const [left, right] = [numbersOf(a), numbersOf(b)];
    return left.map((part, index) => part - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function numbersOf(text: string): VersionNumbers {
    const numbers = parseCcmVersion(text);
    if (numbers === undefined) throw new RangeError(`not a Cloud Controller Manager version: ${text}`);
    return numbers;
}

/** True if `version` is `minimum` or newer. Throws like {@link compareVersions}. */
export const isAtLeast = (version: string, minimum: string): boolean => compareVersions(version, minimum) >= 0;

/** Parses the major and minor number of a Kubernetes version such as `v1.34.1`, `1.24+` or `v1.30.7-aliyun.1`. */
export function parseKubernetesVersion(text: string): readonly [major: number, minor: number] | undefined {
    const match = /^v?(\d{1,9})\.(\d{1,9})(?:\D.*)?$/.exec(text);
    return match === null ? undefined : [Number(match[1]), Number(match[2])];
}
