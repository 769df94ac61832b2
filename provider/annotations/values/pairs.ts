/** Lists of `left:right` pairs. */

import type { DomainExtension, ForwardPort, HttpCode, ListenerProtocol, ProtocolPort, VgroupPort } from "../settings";
import { identifier } from "./identifier";
import { listOf, type EntryType } from "./list";
import { portNumber } from "./number";
import { isDnsName } from "./dns";
import { refused, type Reading, type ReadOptions } from "./type";
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
    read: (left: string, right: string, options: ReadOptions) => Reading<Entry>,
    write: (entry: Entry) => readonly [unknown, unknown],
): EntryType<Entry> {
    return {
        shape,
        example,
        parse(text, options) {
            const parts = halves(text);
            return parts === undefined ? { problem: `is not of the form ${shape}`, remedy: `write ${example}` } : read(parts[0], parts[1], options);
        },
        print(entry) {
            if (typeof entry !== "object" || entry === null) return undefined;
            const [left, right] = write(entry as Entry);
            return isPrintable(left) && isPrintable(right) ? `${left}:${right}` : undefined;
        },
    };
}

const isPrintable = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number";

const portProblem = (text: string): string => `has "${text}" where a port from 1 to 65535 belongs`;

const PROTOCOLS: readonly ListenerProtocol[] = ["tcp", "udp", "http", "https"];

/** `https:443,http:80`. */
export const protocolPorts = listOf(
    pair<ProtocolPort>(
        "protocol:port",
        "https:443,http:80",
        (left, right) => {
            const protocol = PROTOCOLS.find((candidate) => candidate === left);
            if (protocol === undefined) {
                const nlb = left === "tcpssl" ? "; tcpssl exists on an NLB only" : "";
                return { problem: `has "${left}" where ${PROTOCOLS.join(", ")} in lower case belongs${nlb}`, remedy: "correct the protocol" };
            }
            const port = portNumber(right);
            return port === undefined ? { problem: portProblem(right), remedy: "correct the port" } : { value: { protocol, port } };
        },
        (entry) => [entry.protocol, entry.port],
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
            return https === undefined ? { problem: portProblem(right), remedy: "correct the port" } : { value: { http, https } };
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
        (left, right, options) => {
            const masked = options.allowMasked && /^<[^<>]*>$/.test(left);
            if (!masked && !isDnsName(left.startsWith("*.") ? left.slice(2) : left)) return { problem: `has "${left}" where a domain name belongs`, remedy: "correct the domain" };
            const certId = certificate.parse(right, options);
            return refused(certId) ? { problem: `has "${right}" where a certificate id belongs`, remedy: certId.remedy } : { value: { domain: left, certId: certId.value } };
        },
        (entry) => [entry.domain, entry.certId],
    ),
    true,
);

const vgroup = identifier("rsp-", "a vServer group id");

/** `rsp-bp1…:443`. */
export const vgroupPorts = listOf(
    pair<VgroupPort>(
        "vServer-group-id:port",
        "rsp-bp1abc:443",
        (left, right, options) => {
            const vgroupId = vgroup.parse(left, options);
            if (refused(vgroupId)) return { problem: `has "${left}" where a vServer group id ("rsp-…") belongs`, remedy: vgroupId.remedy };
            const port = portNumber(right);
            return port === undefined ? { problem: portProblem(right), remedy: "correct the port" } : { value: { vgroupId: vgroupId.value, port } };
        },
        (entry) => [entry.vgroupId, entry.port],
    ),
);

const code = oneOf<HttpCode>("http_2xx", "http_3xx", "http_4xx", "http_5xx");

/** `http_2xx,http_3xx`. */
export const httpCodes = listOf<HttpCode>({
    shape: code.allowed,
    example: "http_2xx,http_3xx",
    parse: (text, options) => code.parse(text, options),
    print: (entry) => code.print(entry),
});
