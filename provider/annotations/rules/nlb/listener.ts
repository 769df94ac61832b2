/** Listeners of an NLB. */

import { backendTypeOf } from "../../defaults";
import { collector, diagnostic } from "../../../diagnostics";
import { nlbDocument } from "../../../schema/documents";
import { hasListener, keyOf, type Rule } from "../context";

/** TLS that ends at the load balancer needs a certificate. */
export const certificate: Rule = ({ attempted, ports, protocols }) => {
    const tls = (ports ?? []).filter((_, index) => protocols?.[index] === "tcpssl");
    if (tls.length === 0 || attempted.has("certId")) return [];
    return [
        diagnostic({
            code: "annotation-companion",
            severity: "error",
            about: "protocolPort",
            cause: `a TCPSSL listener (port ${tls.map(({ port }) => port).join(", ")}) needs ${keyOf("certId")}`,
            remedy: `add ${keyOf("certId")} with the id of a certificate`,
            source: nlbDocument("Create a TCP/SSL Listener"),
        }),
    ];
};

/** Behind TLS that ends at the load balancer, backends cannot see the client's address. */
export const clientAddress: Rule = (context) => {
    if (
        context.settings.preserveClientIp !== "on" ||
        context.protocols === undefined ||
        !context.protocols.includes("tcpssl")
    )
        return [];
    return [
        diagnostic({
            code: "annotation-exclusion",
            severity: "error",
            about: "preserveClientIp",
            cause: "TCPSSL listeners cannot keep the client's address, and the annotation counts for all listeners of the Service",
            remedy: `remove it: other listeners keep the address anyway; TCPSSL ones pass it on with ${keyOf("proxyProtocol")}: "on"`,
            source: nlbDocument("Create a TCP/SSL Listener"),
        }),
    ];
};

/** Longest idle time of a UDP listener, seconds. Source: NLB API, CreateListener, IdleTimeout. */
const LONGEST_UDP_IDLE = 90;

export const idleTimeout: Rule = (context) => {
    const { idleTimeout: seconds } = context.settings;
    if (
        seconds === undefined ||
        seconds <= LONGEST_UDP_IDLE ||
        context.protocols === undefined ||
        !hasListener(context, "udp")
    )
        return [];
    return [
        diagnostic({
            code: "annotation-exclusion",
            severity: "error",
            about: "idleTimeout",
            cause: `the Service has a UDP listener, which takes ${LONGEST_UDP_IDLE} s at most; the annotation counts for all its listeners`,
            remedy: `write ${LONGEST_UDP_IDLE} or less, or give the UDP ports a Service of their own`,
            source: "NLB API, CreateListener, IdleTimeout",
        }),
    ];
};

/** Ranges of ports must fit the Service and each other, and only pods can answer on any port. */
export const portRanges: Rule = (context) => {
    const { settings, facts, ports, protocols } = context;
    const ranges = settings.listenerPortRange ?? [];
    const report = collector("annotation-port", { source: nlbDocument("Configure Listener Port Range") });
    if (ranges.length > 0 && backendTypeOf(settings, facts) !== "eni")
        report.error(
            "listenerPortRange",
            "ranges of ports need pods as backends: a node answers on its node ports only",
            `set ${keyOf("backendType")}: "eni" in a cluster with Terway, or remove it`,
            { code: "annotation-exclusion" },
        );
    const spans: { readonly name: string; readonly protocol: string; readonly from: number; readonly to: number }[] =
        [];
    (ports ?? []).forEach(({ port, targetPort }, index) => {
        const own = ranges.filter((range) => range.port === port);
        if (own.length > 1)
            report.error(
                "listenerPortRange",
                `port ${port} has ${own.length} ranges, but one listener`,
                "keep one of them, or add a Service port for each",
            );
        const [range] = own;
        if (range !== undefined && typeof targetPort !== "number")
            report.error(
                "listenerPortRange",
                `targetPort "${targetPort}" of port ${port} is a name, but health checks of a range need a number`,
                "write the number of the container port",
            );
        // TCP and TCPSSL share their ports, UDP has its own.
        const protocol = protocols?.[index] === "udp" ? "UDP" : "TCP";
        spans.push({
            name: range === undefined ? `port ${port}` : `${range.from}-${range.to}:${port}`,
            protocol,
            from: range?.from ?? port,
            to: range?.to ?? port,
        });
    });
    spans.forEach((span, index) => {
        for (const other of ranges.length === 0 ? [] : spans.slice(0, index)) {
            if (other.protocol !== span.protocol || other.to < span.from || span.to < other.from) continue;
            report.error(
                "listenerPortRange",
                `${other.name} and ${span.name} overlap (${span.protocol})`,
                "make the ranges and ports of one protocol disjoint",
            );
        }
    });
    for (const { from, to, port } of ranges) {
        if (ports === undefined || ports.some((candidate) => candidate.port === port)) continue;
        report.error(
            "listenerPortRange",
            `"${from}-${to}:${port}" names port ${port}, which the Service does not have`,
            `use one of ${ports.map((candidate) => candidate.port).join(", ")}`,
        );
    }
    return report.diagnostics;
};
