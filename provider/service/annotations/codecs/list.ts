import type { Reading, Refusal, ValueType } from "./text";
import { identifier, isDnsName, isIpv4, oneOf, portNumber, refused, zone } from "./text";
import { LIMITS } from "../../../quotas/limits";
import { defined } from "../../../schema/defined";
import { LOAD_BALANCER_NAMES, type LoadBalancerType, otherType } from "../../../schema/load-balancer-type";
import { CLB_PROTOCOLS, type ListenerProtocol, NLB_PROTOCOLS } from "../../../schema/protocols";
import type {
    DomainExtension,
    ForwardPort,
    HttpCode,
    PortRange,
    ProtocolPort,
    VgroupPort,
    ZoneMap,
} from "../../../schema/settings";

/** Type of the entries of a list. `allowed` is the form of an entry, for example `protocol:port`. */
interface EntryType<Entry> extends ValueType<Entry> {
    readonly example: string;
}

/** Most problems of a list's entries that are shown. */
const MOST_PROBLEMS = 10;

function notAll(allowed: string, problems: readonly string[]): Refusal {
    const more = problems.length - MOST_PROBLEMS;
    const shown = [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`${more} more are not shown`] : [])];
    return { problem: `must be ${allowed}: ${shown.join("; ")}`, remedy: `write ${allowed}` };
}

/**
 * Splits a list at its commas, without the blanks around entries: the Cloud Controller Manager ignores them in some
 * annotations, and documents write them in others.
 */
const entriesOf = (text: string): string[] => text.split(",").map((entry) => entry.trim());

/**
 * Makes the type of a non-empty list of entries separated by commas. All entries are read, and all problems are
 * reported at once.
 */
function commaSeparated<Entry>(type: EntryType<Entry>): ValueType<readonly Entry[]> {
    const allowed = `${type.allowed} entries, separated by commas, for example "${type.example}"`;
    return {
        allowed,
        parse(text) {
            const entries: Entry[] = [];
            const problems: string[] = [];
            for (const entry of entriesOf(text)) {
                const reading = readEntry(entry, type);
                if (refused(reading)) problems.push(`"${entry}" ${reading.problem}`);
                else entries.push(reading.value);
            }
            return problems.length > 0 ? notAll(allowed, problems) : { value: entries };
        },
        print(value) {
            if (!Array.isArray(value) || value.length === 0) return undefined;
            const entries = value.map((entry) => type.print(entry));
            return entries.includes(undefined) ? undefined : entries.join(",");
        },
    };
}

function readEntry<Entry>(entry: string, type: EntryType<Entry>): Reading<Entry> {
    if (entry === "") return { problem: "is empty", remedy: "remove the comma" };
    if (/\s/.test(entry)) return { problem: "contains a blank", remedy: "remove it" };
    return type.parse(entry);
}

export function identifiers(prefix: string, what: string, example: string): ValueType<readonly string[]> {
    return commaSeparated({ ...identifier(prefix, what), example });
}

/** Ids of cloud resources as a text, separated by commas without blanks. */
export function identifierList(prefix: string, what: string, example: string): ValueType<string> {
    const several = identifiers(prefix, what, example);
    return {
        allowed: `${identifier(prefix, what).allowed}, or several, separated by commas`,
        parse(value) {
            const reading = several.parse(value);
            return refused(reading) ? reading : { value: reading.value.join(",") };
        },
        print: (value) => (typeof value === "string" ? several.print(value.split(",")) : undefined),
    };
}

type Check = (text: string) => string | undefined;

/**
 * `key=value` pairs separated by commas, each key at most once. A second `=` in a pair is refused, since the Cloud
 * Controller Manager would cut the value there.
 *
 * @param bare value of a key without `=`. Absent: such an entry is refused, and so is an empty entry.
 */
function keyValues(
    example: string,
    checkKey: Check,
    checkValue: Check,
    bare?: string,
): ValueType<Readonly<Record<string, string>>> {
    const allowed = `key=value pairs, separated by commas, for example "${example}"`;
    return {
        allowed,
        parse(text) {
            const pairs = new Map<string, string>();
            const problems: string[] = [];
            const entries = entriesOf(text).filter((entry) => entry !== "" || bare === undefined);
            if (entries.length === 0) problems.push("there is no entry");
            for (const entry of entries) {
                const [key, value = bare, ...more] = entry.split("=");
                if (key === undefined || value === undefined || more.length > 0) {
                    problems.push(`"${entry}" has ${more.length > 0 ? "more than one" : "no"} "="`);
                    continue;
                }
                if (pairs.has(key)) problems.push(`"${key}" is there twice`);
                for (const problem of [checkKey(key), checkValue(value)])
                    if (problem !== undefined) problems.push(`"${entry}": ${problem}`);
                pairs.set(key, value);
            }
            return problems.length > 0 ? notAll(allowed, problems) : { value: Object.fromEntries(pairs) };
        },
        print(value) {
            if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
            const entries = Object.entries(value);
            if (entries.length === 0 || entries.some(([, text]) => typeof text !== "string")) return undefined;
            return entries.map(([key, text]) => `${key}=${text}`).join(",");
        },
    };
}

function checkTag(part: "key" | "value", most: number): Check {
    return (text) => {
        if (part === "key" && text === "") return "the key is empty";
        if ([...text].length > most) return `the ${part} has more than ${most} characters`;
        if (/https?:\/\//.test(text)) return `the ${part} must not contain http:// or https://`;
        if (part === "key" && /^(?:aliyun|acs:)/.test(text))
            return `the key must not start with "aliyun" or "acs:", which the cloud keeps for itself`;
        return undefined;
    };
}

/**
 * Tags of a cloud resource. `Key` means `Key=`, and empty entries count for nothing, as the Cloud Controller Manager
 * reads them.
 */
const tags = (longestKey: number) =>
    keyValues("Key1=Value1,Key2=Value2", checkTag("key", longestKey), checkTag("value", LIMITS.tagValue.most), "");

export const clbTags = tags(LIMITS.clbTagKey.most);

export const nlbTags = tags(LIMITS.nlbTagKey.most);

const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

function checkLabelKey(key: string): string | undefined {
    const slash = key.indexOf("/");
    const [prefix, name] = slash < 0 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
    const valid = LABEL.test(name) && (prefix === undefined || isDnsName(prefix));
    return valid ? undefined : "the key is not a Kubernetes label key";
}

const checkLabelValue: Check = (value) =>
    value === "" || LABEL.test(value) ? undefined : "the value is not a Kubernetes label value";

export const labels = keyValues("failure-domain.beta.kubernetes.io/zone=cn-hangzhou-k", checkLabelKey, checkLabelValue);

const pair = <Entry>(
    allowed: string,
    example: string,
    read: (left: string, right: string) => Reading<Entry>,
    write: (entry: Entry) => readonly [unknown, unknown],
): EntryType<Entry> => ({
    allowed,
    example,
    parse(text) {
        const [left, right, ...more] = text.split(":");
        return left === undefined || right === undefined || more.length > 0
            ? { problem: `is not of the form ${allowed}`, remedy: `write ${example}` }
            : read(left, right);
    },
    print(entry) {
        if (typeof entry !== "object" || entry === null) return undefined;
        const parts = write(entry as Entry);
        return parts.every((part) => typeof part === "string" || typeof part === "number")
            ? parts.join(":")
            : undefined;
    },
});

/** Refuses a part of an entry. @param expected completes "where … belongs" */
const misplaced = (text: string, expected: string, remedy: string): Refusal => ({
    problem: `has "${text}" where ${expected}`,
    remedy,
});

function withPort<Entry>(text: string, make: (port: number) => Entry): Reading<Entry> {
    const port = portNumber(text);
    return port === undefined
        ? misplaced(text, "a port from 1 to 65535 belongs", "correct the port")
        : { value: make(port) };
}

const PROTOCOLS: Readonly<Record<LoadBalancerType, readonly ListenerProtocol[]>> = {
    clb: CLB_PROTOCOLS,
    nlb: NLB_PROTOCOLS,
};

/** `protocol:port` with the protocols of a type of load balancer. @param readWord decides if case counts */
const protocolPorts = (type: LoadBalancerType, example: string, readWord: (word: string) => string) =>
    commaSeparated(
        pair<ProtocolPort>(
            "protocol:port",
            example,
            (left, right) => {
                const protocols = PROTOCOLS[type];
                const protocol = protocols.find((candidate) => candidate === readWord(left));
                if (protocol !== undefined) return withPort(right, (port) => ({ protocol, port }));
                const other = otherType(type);
                const others = PROTOCOLS[other].filter((candidate) => !protocols.includes(candidate));
                const elsewhere = others.find((candidate) => candidate === left.toLowerCase());
                const hint = elsewhere ? `; ${elsewhere} exists on ${LOAD_BALANCER_NAMES[other]} only` : "";
                return misplaced(left, `${protocols.join(", ")} belongs${hint}`, "correct the protocol");
            },
            (entry) => [entry.protocol, entry.port],
        ),
    );

/** `https:443,http:80`, in lower case. */
export const clbProtocolPorts = protocolPorts("clb", "https:443,http:80", (word) => word);

/** `TCP:80,TCPSSL:443`, in any case. */
export const nlbProtocolPorts = protocolPorts("nlb", "tcp:80,tcpssl:443", (word) => word.toLowerCase());

export const forwardPorts = commaSeparated(
    pair<ForwardPort>(
        "http-port:https-port",
        "80:443",
        (left, right) => {
            const http = withPort(left, (port) => port);
            return refused(http) ? http : withPort(right, (https) => ({ http: http.value, https }));
        },
        (entry) => [entry.http, entry.https],
    ),
);

const certificateId = identifier("", "a certificate id");

export const domainExtensions = commaSeparated(
    pair<DomainExtension>(
        "domain:certificate-id",
        "example.com:cert-id-1,api.example.com:cert-id-2",
        (left, right) => {
            if (!isDnsName(left.startsWith("*.") ? left.slice(2) : left))
                return misplaced(left, "a domain name belongs", "correct the domain");
            const certId = certificateId.parse(right);
            return refused(certId)
                ? misplaced(right, "a certificate id belongs", certId.remedy)
                : { value: { domain: left, certId: certId.value } };
        },
        (entry) => [entry.domain, entry.certId],
    ),
);

/** `group-id:port`, for groups whose ids have this prefix. */
function groupPorts(prefix: string, what: string): ValueType<readonly VgroupPort[]> {
    const group = identifier(prefix, what);
    return commaSeparated(
        pair<VgroupPort>(
            "server-group-id:port",
            `${prefix}bp1abc:443`,
            (left, right) => {
                const vgroupId = group.parse(left);
                return refused(vgroupId)
                    ? misplaced(left, `${what} ("${prefix}…") belongs`, vgroupId.remedy)
                    : withPort(right, (port) => ({ vgroupId: vgroupId.value, port }));
            },
            (entry) => [entry.vgroupId, entry.port],
        ),
    );
}

/** `rsp-bp1…:443`, for a CLB. */
export const vgroupPorts = groupPorts("rsp-", "a vServer group id");

/** `sgp-bp1…:443`, for an NLB. */
export const nlbGroupPorts = groupPorts("sgp-", "a server group id");

export const listenerPortRanges = commaSeparated(
    pair<PortRange>(
        "start-end:service-port",
        "80-100:80,400-500:443",
        (left, right) => {
            const [from, to, ...more] = left.split("-").map(portNumber);
            if (from === undefined || to === undefined || more.length > 0 || from >= to)
                return misplaced(left, "two ports from 1 to 65535 belong, the smaller one first", "correct the range");
            return withPort(right, (port) => ({ from, to, port }));
        },
        (entry) => [`${entry.from}-${entry.to}`, entry.port],
    ),
);

export const httpCodes = commaSeparated<HttpCode>({
    ...oneOf("http_2xx", "http_3xx", "http_4xx", "http_5xx"),
    example: "http_2xx,http_3xx",
});

const vswitch = identifier("vsw-", "a vSwitch id");
const eip = identifier("eip-", "an elastic IP address id");
const ZONE_SHAPE = "zone:vSwitch[:address[:elastic-IP-id]]";

function readZone(text: string): Reading<ZoneMap> {
    const [zoneId = "", vswitchId = "", address = "", allocationId = "", ...more] = text.split(":");
    const remedy = `write ${ZONE_SHAPE}`;
    const wrong = (value: string, what: string) => misplaced(value, `${what} belongs`, remedy);
    if (more.length > 0 || vswitchId === "") return { problem: `is not of the form ${ZONE_SHAPE}`, remedy };
    if (refused(zone.parse(zoneId))) return wrong(zoneId, "a zone id");
    if (refused(vswitch.parse(vswitchId))) return wrong(vswitchId, 'a vSwitch id ("vsw-…")');
    if (address !== "" && !isIpv4(address)) return wrong(address, "an IPv4 address");
    if (allocationId !== "" && refused(eip.parse(allocationId)))
        return wrong(allocationId, 'the id of an elastic IP address ("eip-…")');
    return {
        value: {
            zoneId,
            vswitchId,
            ...defined({ privateIpv4: address || undefined, allocationId: allocationId || undefined }),
        },
    };
}

function writeZone(entry: unknown): string | undefined {
    if (typeof entry !== "object" || entry === null) return undefined;
    const { zoneId, vswitchId, privateIpv4 = "", allocationId = "" } = entry as ZoneMap;
    const parts = [zoneId, vswitchId, privateIpv4, allocationId];
    return parts.every((part) => typeof part === "string") ? parts.join(":").replace(/:+$/, "") : undefined;
}

/** `cn-hangzhou-k:vsw-1,cn-hangzhou-j:vsw-2:10.0.0.9:eip-1`. */
export const zoneMaps = commaSeparated<ZoneMap>({
    allowed: ZONE_SHAPE,
    example: "cn-hangzhou-k:vsw-i123456,cn-hangzhou-j:vsw-j654321",
    parse: readZone,
    print: writeZone,
});
