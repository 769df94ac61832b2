/** Lists of `left:right` pairs. */

import type { ListenerProtocol } from "../../schema/protocols";
import type {
    DomainExtension,
    ForwardPort,
    HttpCode,
    ListenerPortRange,
    ProtocolPort,
    VgroupPort,
} from "../../schema/settings";
import { identifier } from "./identifier";
import { listOf, type EntryType } from "./list";
import { portNumber } from "./number";
import { isDnsName } from "./dns";
import { refused, type Reading } from "./type";
import { oneOf } from "./word";

/** Splits at the only colon. */
function halves(text: string): readonly [string, string] | undefined {
    const parts = text.split(":");
    return parts.length === 2 && parts[0] !== undefined && parts[1] !== undefined ? [parts[0], parts[1]] : undefined;
}

/** An entry type out of its two halves. */
function pair<Entry>(
    shape: string,
    example: string,
    read: (left: string, right: string) => Reading<Entry>,
    write: (entry: Entry) => readonly [unknown, unknown],
): EntryType<Entry> {
    return {
        shape,
        example,
        parse(text) {
            const parts = halves(text);
            return parts === undefined
                ? { problem: `is not of the form ${shape}`, remedy: `write ${example}` }
                : read(parts[0], parts[1]);
        },
        print(entry) {
            if (typeof entry !== "object" || entry === null) return undefined;
            const [left, right] = write(entry as Entry);
            return isPrintable(left) && isPrintable(right) ? `${left}:${right}` : undefined;
        },
    };
}

const isPrintable = (value: unknown): value is string | number =>
    typeof value === "string" || typeof value === "number";

const portProblem = (text: string): string => `has "${text}" where a port from 1 to 65535 belongs`;

/** `protocol:port` with these protocols; `elsewhere` is the message for those that only another kind of load balancer has. */
function protocolPort(
    example: string,
    protocols: readonly ListenerProtocol[],
    elsewhere: Readonly<Record<string, string>>,
    readWord: (word: string) => string,
): EntryType<ProtocolPort> {
    return pair<ProtocolPort>(
        "protocol:port",
        example,
        (left, right) => {
            const protocol = protocols.find((candidate) => candidate === readWord(left));
            if (protocol === undefined) {
                return {
                    problem: `has "${left}" where ${protocols.join(", ")} belongs${elsewhere[left.toLowerCase()] ?? ""}`,
                    remedy: "correct the protocol",
                };
            }
            const port = portNumber(right);
            return port === undefined
                ? { problem: portProblem(right), remedy: "correct the port" }
                : { value: { protocol, port } };
        },
        (entry) => [entry.protocol, entry.port],
    );
}

/** `https:443,http:80`, in lower case, for a CLB. */
export const protocolPorts = listOf(
    protocolPort(
        "https:443,http:80",
        ["tcp", "udp", "http", "https"],
        { tcpssl: "; tcpssl exists on an NLB only" },
        (word) => word,
    ),
);

/** `TCP:80,TCPSSL:443`, in any case, for an NLB. */
export const nlbProtocolPorts = listOf(
    protocolPort(
        "tcp:80,tcpssl:443",
        ["tcp", "udp", "tcpssl"],
        { http: "; http exists on a CLB only", https: "; https exists on a CLB only" },
        (word) => word.toLowerCase(),
    ),
);

/** `80:443`. */
export const forwardPorts = listOf(
    pair<ForwardPort>(
        "http-port:https-port",
        "80:443",
        (left, right) => {
            const [http, https] = [portNumber(left), portNumber(right)];
            if (http === undefined) return { problem: portProblem(left), remedy: "correct the port" };
            return https === undefined
                ? { problem: portProblem(right), remedy: "correct the port" }
                : { value: { http, https } };
        },
        (entry) => [entry.http, entry.https],
    ),
);

const certificate = identifier("", "a certificate id");

/** `example.com:cert-id-1,*.example.org:cert-id-2`. */
export const domainExtensions = listOf(
    pair<DomainExtension>(
        "domain:certificate-id",
        "example.com:cert-id-1,api.example.com:cert-id-2",
        (left, right) => {
            if (!isDnsName(left.startsWith("*.") ? left.slice(2) : left))
                return { problem: `has "${left}" where a domain name belongs`, remedy: "correct the domain" };
            const certId = certificate.parse(right);
            return refused(certId)
                ? { problem: `has "${right}" where a certificate id belongs`, remedy: certId.remedy }
                : { value: { domain: left, certId: certId.value } };
        },
        (entry) => [entry.domain, entry.certId],
    ),
    true,
);

/** `group-id:port`, for groups whose ids have this prefix. */
function groupPorts(prefix: string, what: string): ReturnType<typeof listOf<VgroupPort>> {
    const group = identifier(prefix, what);
    return listOf(
        pair<VgroupPort>(
            "server-group-id:port",
            `${prefix}bp1abc:443`,
            (left, right) => {
                const vgroupId = group.parse(left);
                if (refused(vgroupId))
                    return { problem: `has "${left}" where ${what} ("${prefix}…") belongs`, remedy: vgroupId.remedy };
                const port = portNumber(right);
                return port === undefined
                    ? { problem: portProblem(right), remedy: "correct the port" }
                    : { value: { vgroupId: vgroupId.value, port } };
            },
            (entry) => [entry.vgroupId, entry.port],
        ),
    );
}

/** `rsp-bp1…:443`, for a CLB. */
export const vgroupPorts = groupPorts("rsp-", "a vServer group id");

/** `sgp-bp1…:443`, for an NLB. */
export const nlbGroupPorts = groupPorts("sgp-", "a server group id");

/** `80-100:80`. */
export const listenerPortRanges = listOf(
    pair<ListenerPortRange>(
        "start-end:service-port",
        "80-100:80,400-500:443",
        (left, right) => {
            const [from, to] = left.split("-").map(portNumber);
            if (from === undefined || to === undefined || left.split("-").length !== 2 || from >= to)
                return {
                    problem: `has "${left}" where two ports from 1 to 65535 belong, the smaller one first`,
                    remedy: "correct the range",
                };
            const port = portNumber(right);
            return port === undefined
                ? { problem: portProblem(right), remedy: "correct the port" }
                : { value: { from, to, port } };
        },
        (entry) => [`${entry.from}-${entry.to}`, entry.port],
    ),
);

const code = oneOf<HttpCode>("http_2xx", "http_3xx", "http_4xx", "http_5xx");

/** `http_2xx,http_3xx`. */
export const httpCodes = listOf<HttpCode>({
    shape: code.allowed,
    example: "http_2xx,http_3xx",
    parse: (text) => code.parse(text),
    print: (entry) => code.print(entry),
});
