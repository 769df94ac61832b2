/** Comparisons that both kinds of load balancers share. */
import type { RecordedBackend } from "./case";
import { documentedDefault } from "./defaults";

/** Notes what is not as recorded; does nothing where both are the same. */
export type Report = (where: string, expected: unknown, actual: unknown) => void;

/** @param of ref of an instance, or name of a group. */
export function compareTags(
    of: string,
    wanted: Readonly<Record<string, string>>,
    ours: Readonly<Record<string, string>>,
    report: Report,
): void {
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(ours)])) {
        report(`tag ${of} ${key}`, wanted[key], ours[key]);
    }
}

/** What was sent must hold; what was not sent must be as the documents say it is by default. */
export function compareAttributes(
    where: string,
    kind: string,
    sent: Readonly<Record<string, string>>,
    ours: Readonly<Record<string, string>>,
    foreign: boolean,
    report: Report,
): void {
    for (const [name, value] of Object.entries(sent)) {
        report(`${where} ${name}`, value, ours[name]);
    }
    for (const [name, value] of Object.entries(foreign ? {} : ours)) {
        const expected = documentedDefault(kind, name);
        if (!(name in sent) && expected !== undefined && !dependsOn(kind, name, sent, ours)) {
            report(`${where} ${name}`, expected, value);
        }
    }
}

/** Attributes that mean nothing while what they belong to is off. */
const MASTERS: Readonly<Record<string, string>> = {
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
};

const isOff = (value: string): boolean => value === "off" || value === "false";

function dependsOn(
    kind: string,
    name: string,
    sent: Readonly<Record<string, string>>,
    ours: Readonly<Record<string, string>>,
): boolean {
    const master = MASTERS[name];
    return kind !== "instance" && master !== undefined && isOff(ours[master] ?? "") && isOff(sent[master] ?? "off");
}

/** Compares the members of a group. */
export function compareBackends(
    wanted: { readonly name: string; readonly backends: readonly RecordedBackend[] },
    ours: readonly RecordedBackend[],
    report: Report,
): void {
    const identity = ({ type, serverId, serverIp, port }: RecordedBackend) =>
        [type, serverId, type.toLowerCase() === "ecs" ? "" : (serverIp ?? ""), port].join(" ").trim();
    const theirs = new Map(wanted.backends.map((member) => [identity(member), member]));
    const mine = new Map(ours.map((member) => [identity(member), member]));
    for (const key of new Set([...theirs.keys(), ...mine.keys()])) {
        const [a, b] = [theirs.get(key), mine.get(key)];
        if (a === undefined || b === undefined) {
            report(
                `backend ${wanted.name} ${key}`,
                a === undefined ? undefined : "present",
                b === undefined ? undefined : "present",
            );
            continue;
        }
        report(`backend ${wanted.name} ${key} weight`, a.weight, b.weight);
        report(`backend ${wanted.name} ${key} description`, a.description, b.description);
    }
}
