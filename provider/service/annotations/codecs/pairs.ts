import type { ListenerProtocol } from "../../../schema/protocols";
import type {
    DomainExtension,
    ForwardPort,
    HttpCode,
    PortRange,
    ProtocolPort,
    VgroupPort,
    ZoneMap,
} from "../../../schema/settings";
import { commaSeparated, type EntryType } from "./list";
import { identifier, isDnsName, isIpv4, zone } from "./text";
import { oneOf, portNumber, refused, type Reading, type Refusal, type ValueType } from "./type";

const pair = <Entry>(
    shape: string,
    example: string,
    read: (left: string, right: string) => Reading<Entry>,
    write: (entry: Entry) => readonly [unknown, unknown],
): EntryType<Entry> => ({
    shape,
    example,
    parse(text) {
        const [left, right, ...more] = text.split(":");
        return left === undefined || right === undefined || more.length > 0
            ? { problem: `is not of the form ${shape}`, remedy: `write ${example}` }
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

function withPort<Entry>(text: string, make: (port: number) => Entry): Reading<Entry> {
    const port = portNumber(text);
    return port === undefined
        ? { problem: `has "${text}" where a port from 1 to 65535 belongs`, remedy: "correct the port" }
        : { value: make(port) };
}

/** `protocol:port` with these protocols; `elsewhere` is the message for those of the other type of load balancer. */
const protocolPort = (
    example: string,
    protocols: readonly ListenerProtocol[],
    elsewhere: Readonly<Record<string, string>>,
    readWord: (word: string) => string,
): EntryType<ProtocolPort> =>
    pair<ProtocolPort>(
        "protocol:port",
        example,
        (left, right) => {
            const protocol = protocols.find((candidate) => candidate === readWord(left));
            if (protocol !== undefined) return withPort(right, (port) => ({ protocol, port }));
            const hint = elsewhere[left.toLowerCase()] ?? "";
            return {
                problem: `has "${left}" where ${protocols.join(", ")} belongs${hint}`,
                remedy: "correct the protocol",
            };
        },
        (entry) => [entry.protocol, entry.port],
    );

/** `https:443,http:80`, in lower case, for a CLB. */
export const protocolPorts = commaSeparated(
    protocolPort(
        "https:443,http:80",
        ["tcp", "udp", "http", "https"],
        { tcpssl: "; tcpssl exists on an NLB only" },
        (word) => word,
    ),
);

/** `TCP:80,TCPSSL:443`, in any case, for an NLB. */
export const nlbProtocolPorts = commaSeparated(
    protocolPort(
        "tcp:80,tcpssl:443",
        ["tcp", "udp", "tcpssl"],
        { http: "; http exists on a CLB only", https: "; https exists on a CLB only" },
        (word) => word.toLowerCase(),
    ),
);

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
                return { problem: `has "${left}" where a domain name belongs`, remedy: "correct the domain" };
            const certId = certificateId.parse(right);
            return refused(certId)
                ? { problem: `has "${right}" where a certificate id belongs`, remedy: certId.remedy }
                : { value: { domain: left, certId: certId.value } };
        },
        (entry) => [entry.domain, entry.certId],
    ),
    true,
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
                    ? { problem: `has "${left}" where ${what} ("${prefix}…") belongs`, remedy: vgroupId.remedy }
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
                return {
                    problem: `has "${left}" where two ports from 1 to 65535 belong, the smaller one first`,
                    remedy: "correct the range",
                };
            return withPort(right, (port) => ({ from, to, port }));
        },
        (entry) => [`${entry.from}-${entry.to}`, entry.port],
    ),
);

const code = oneOf<HttpCode>("http_2xx", "http_3xx", "http_4xx", "http_5xx");

export const httpCodes = commaSeparated<HttpCode>({ ...code, shape: code.allowed, example: "http_2xx,http_3xx" });

const vswitch = identifier("vsw-", "a vSwitch id");
const eip = identifier("eip-", "an elastic IP address id");
const ZONE_SHAPE = "zone:vSwitch[:address[:elastic-IP-id]]";

function readZone(text: string): Reading<ZoneMap> {
    const [zoneId = "", vswitchId = "", address = "", allocationId = "", ...more] = text.split(":");
    const remedy = `write ${ZONE_SHAPE}`;
    const wrong = (value: string, what: string): Refusal => ({
        problem: `has "${value}" where ${what} belongs`,
        remedy,
    });
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
            ...(address === "" ? {} : { privateIpv4: address }),
            ...(allocationId === "" ? {} : { allocationId }),
        },
    };
}

function writeZone(entry: unknown): string | undefined {
    if (typeof entry !== "object" || entry === null) return undefined;
    const { zoneId, vswitchId, privateIpv4 = "", allocationId = "" } = entry as ZoneMap;
    const parts = [zoneId, vswitchId, privateIpv4, allocationId];
    return parts.every((part) => typeof part === "string") ? parts.join(":").replace(/:+$/, "") : undefined;
}

/** `cn-hangzhou-k:vsw-1,cn-hangzhou-j:vsw-2:10.0.0.9:eip-1`. Blanks around an entry are ignored. */
export const zoneMaps = commaSeparated<ZoneMap>(
    {
        shape: ZONE_SHAPE,
        example: "cn-hangzhou-k:vsw-i123456,cn-hangzhou-j:vsw-j654321",
        parse: readZone,
        print: writeZone,
    },
    true,
);
