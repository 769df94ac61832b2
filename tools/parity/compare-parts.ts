/** Comparisons for both kinds of load balancer. */
import type { RecordedBackend, RecordedListener } from "./case";
import { documentedDefault } from "./defaults";

/** Records a difference if the values differ. */
export type Report = (where: string, expected: unknown, actual: unknown) => void;

/** Recorded object and its match, undefined if there is none. */
export type Pair<Expected, Actual> = readonly [expected: Expected, actual: Actual | undefined];

/**
 * Compares recorded objects with their matches, and reports missing and surplus objects.
 *
 * @param surplus names of the objects without a recorded match
 */
export function comparePairs<Expected, Actual>(
    pairs: readonly Pair<Expected, Actual>[],
    surplus: readonly string[],
    nameOf: (expected: Expected) => string,
    compare: (expected: Expected, actual: Actual, name: string) => void,
    report: Report,
): void {
    for (const [expected, actual] of pairs) {
        if (actual === undefined) report(nameOf(expected), "present", undefined);
        else compare(expected, actual, nameOf(expected));
    }
    for (const name of surplus) report(name, undefined, "present");
}

/** Matches recorded objects with those that are left, each at most once. Takes the matches from the set. */
export function matchEach<Expected, Actual>(
    recorded: readonly Expected[],
    left: Set<Actual>,
    isSame: (expected: Expected, actual: Actual) => boolean,
): Pair<Expected, Actual>[] {
    return recorded.map((expected) => {
        const actual = [...left].find((candidate) => isSame(expected, candidate));
        if (actual !== undefined) left.delete(actual);
        return [expected, actual];
    });
}

/** @param of ref of an instance, or name of a group. */
export function compareTags(
    of: string,
    expected: Readonly<Record<string, string>>,
    actual: Readonly<Record<string, string>>,
    report: Report,
): void {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
        report(`tag ${of} ${key}`, expected[key], actual[key]);
    }
}

/** Compares the parameters that were sent. All others must have their documented default. */
export function compareAttributes(
    where: string,
    kind: string,
    sent: Readonly<Record<string, string>>,
    actual: Readonly<Record<string, string>>,
    preExisting: boolean,
    report: Report,
): void {
    for (const [name, value] of Object.entries(sent)) {
        report(`${where} ${name}`, value, actual[name]);
    }
    for (const [name, value] of Object.entries(preExisting ? {} : actual)) {
        const expected = documentedDefault(kind, name);
        if (!(name in sent) && expected !== undefined && !dependsOn(kind, name, sent, actual)) {
            report(`${where} ${name}`, expected, value);
        }
    }
}

/** Attributes without effect while the attribute that switches them on is off. */
export const SWITCHES: Readonly<Record<string, string>> = {
    StickySessionType: "StickySession",
    Cookie: "StickySession",
    CookieTimeout: "StickySession",
    AclId: "AclStatus",
    AclType: "AclStatus",
    ConnectionDrainTimeout: "ConnectionDrain",
    ForwardPort: "ListenerForward",
    HealthCheckType: "HealthCheckEnabled",
    HealthCheckConnectPort: "HealthCheckEnabled",
    HealthCheckConnectTimeout: "HealthCheckEnabled",
    HealthCheckInterval: "HealthCheckEnabled",
    HealthyThreshold: "HealthCheckEnabled",
    UnhealthyThreshold: "HealthCheckEnabled",
    AlpnPolicy: "AlpnEnabled",
    CaCertificateIds: "CaEnabled",
    Ppv2VpcIdEnabled: "ProxyProtocolEnabled",
    Ppv2PrivateLinkEpIdEnabled: "ProxyProtocolEnabled",
    Ppv2PrivateLinkEpsIdEnabled: "ProxyProtocolEnabled",
};

export const isOff = (value: string): boolean => /^(?:off|false)$/i.test(value);

function dependsOn(
    kind: string,
    name: string,
    sent: Readonly<Record<string, string>>,
    actual: Readonly<Record<string, string>>,
): boolean {
    const option = SWITCHES[name];
    return kind !== "instance" && option !== undefined && isOff(actual[option] ?? "") && isOff(sent[option] ?? "off");
}

/** A listener of the simulated cloud, as far as both kinds have the same. */
interface ActualListener {
    readonly status: string;
    /** Names of the recorded and of the actual server group. */
    readonly groups: readonly [expected: string, actual: string | undefined];
    readonly attributes: Readonly<Record<string, string>>;
}

/** Compares status, server group and attributes of a listener. */
export function compareListener(
    where: string,
    expected: RecordedListener,
    sent: Readonly<Record<string, string>>,
    report: Report,
    { status, groups, attributes }: ActualListener,
): void {
    report(`${where} status`, expected.status, status);
    report(`${where} group`, ...groups);
    compareAttributes(where, expected.protocol, sent, attributes, expected.preExisting === true, report);
}

/** Compares the backends of a server group. */
export function compareBackends(
    expected: { readonly name: string; readonly backends: readonly RecordedBackend[] },
    actual: readonly RecordedBackend[],
    report: Report,
): void {
    const identity = ({ type, serverId, serverIp, port }: RecordedBackend) =>
        [type, serverId, type.toLowerCase() === "ecs" ? "" : (serverIp ?? ""), port].join(" ").trim();
    const expectedByKey = new Map(expected.backends.map((member) => [identity(member), member]));
    const actualByKey = new Map(actual.map((member) => [identity(member), member]));
    for (const key of new Set([...expectedByKey.keys(), ...actualByKey.keys()])) {
        const [a, b] = [expectedByKey.get(key), actualByKey.get(key)];
        if (a === undefined || b === undefined) {
            report(
                `backend ${expected.name} ${key}`,
                a === undefined ? undefined : "present",
                b === undefined ? undefined : "present",
            );
            continue;
        }
        report(`backend ${expected.name} ${key} weight`, a.weight, b.weight);
        report(`backend ${expected.name} ${key} description`, a.description, b.description);
    }
}
