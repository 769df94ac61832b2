import { LIMITS } from "../../../quotas/limits";
import { edgeDocument, nlbDocument } from "../../../schema/documents";
import { CCM_SINCE } from "../../../schema/versions";
import { UNKNOWN_REFERENCE } from "../codecs";
import { backendTypeOf, isJoined, missingVersion } from "../defaults";
import { keyOfSetting as keyOf } from "../keys";
import type { SettingsRule } from "./context";
import { hasListener, portsOf, repeated, requireCertificate, requireIpvs, rule } from "./context";

const ZONES = nlbDocument("Create a Public NLB");

const TLS_LISTENER = nlbDocument("Create a TCP/SSL Listener");

export const nlbRules = {
    zones: rule("annotation-value", ZONES, ({ settings, attempted }, report) => {
        const { zoneMaps } = settings;
        if (zoneMaps === undefined) {
            if (attempted.has("zoneMaps") || attempted.has("id")) return;
            const cause = `an NLB needs ${keyOf("zoneMaps")}: its zones have no default`;
            const remedy = `add ${keyOf("zoneMaps")} with two zones and a vSwitch in each`;
            report.error(["spec", "loadBalancerClass"], cause, remedy, { code: "annotation-companion" });
            return;
        }
        if (zoneMaps.length < 2 || zoneMaps.length > LIMITS.zones.most) {
            const given = `${zoneMaps.length} zone${zoneMaps.length === 1 ? "" : "s"}`;
            const cause = `names ${given}, but an NLB has 2 to ${LIMITS.zones.most}`;
            const remedy = zoneMaps.length < 2 ? "name two zones at least" : `leave ${LIMITS.zones.most} of them`;
            report.error("zoneMaps", cause, remedy);
        }
        for (const part of ["zoneId", "vswitchId", "privateIpv4", "allocationId"] as const) {
            const given = zoneMaps.flatMap((zone) => zone[part] ?? []).filter((value) => value !== UNKNOWN_REFERENCE);
            for (const twice of new Set(repeated(given)))
                report.error(
                    "zoneMaps",
                    `"${twice}" is there twice`,
                    "each zone, vSwitch and address can be used once",
                );
        }
    }),
    addresses: rule("annotation-exclusion", undefined, ({ settings, facts }, report) => {
        const { zoneMaps = [], addressType, bandwidthPackageId } = settings;
        const chosen = zoneMaps.some((zone) => zone.privateIpv4 !== undefined || zone.allocationId !== undefined);
        const lacking = missingVersion(facts, CCM_SINCE.zoneAddresses);
        if (chosen && lacking !== undefined) {
            const remedy = "leave the addresses out, or upgrade the Cloud Controller Manager";
            const details = { code: "annotation-version", source: ZONES } as const;
            report.error("zoneMaps", `addresses of zones need ${lacking}`, remedy, details);
        }
        if (addressType !== "intranet") return;
        const internal = `an internal load balancer (${keyOf("addressType")}: "intranet")`;
        if (zoneMaps.some((zone) => zone.allocationId !== undefined)) {
            const cause = `${internal} has no elastic IP addresses`;
            const remedy = `leave them out, or remove ${keyOf("addressType")}`;
            report.error("zoneMaps", cause, remedy, { source: nlbDocument("Specify the NLB EIP Instance ID") });
        }
        if (bandwidthPackageId !== undefined) {
            const cause = `${internal} has no public bandwidth to share`;
            report.error("bandwidthPackageId", cause, `remove it, or ${keyOf("addressType")}`, {
                source: nlbDocument("Bind an Internet Shared Bandwidth Package"),
            });
        }
    }),
    ipv6: rule("annotation-exclusion", nlbDocument("Create a Dual-Stack NLB"), ({ settings, facts }, report) => {
        if (settings.ipVersion === "DualStack") requireIpvs(facts, report);
    }),
    certificate: rule("annotation-companion", TLS_LISTENER, (context, report) =>
        requireCertificate("a TCPSSL", portsOf(context, "tcpssl"), context, report),
    ),
    clientAddress: rule("annotation-exclusion", TLS_LISTENER, (context, report) => {
        if (context.settings.preserveClientIp !== "on" || !hasListener(context, "tcpssl")) return;
        report.error(
            "preserveClientIp",
            "TCPSSL listeners cannot keep the client's address, " +
                "and the annotation counts for all listeners of the Service",
            "remove it: other listeners keep the address anyway; " +
                `TCPSSL ones pass it on with ${keyOf("proxyProtocol")}: "on"`,
        );
    }),
    idleTimeout: rule("annotation-exclusion", LIMITS.udpIdleSeconds.source, (context, report) => {
        const { most } = LIMITS.udpIdleSeconds;
        if ((context.settings.idleTimeout ?? 0) <= most || !hasListener(context, "udp")) return;
        const cause =
            `the Service has a UDP listener, which takes ${most} s at most; ` +
            "the annotation counts for all its listeners";
        report.error("idleTimeout", cause, `write ${most} or less, or give the UDP ports a separate Service`);
    }),
    portRanges: rule("annotation-port", nlbDocument("Configure Listener Port Range"), (context, report) => {
        const { settings, facts, ports = [], protocols } = context;
        const ranges = settings.listenerPortRange ?? [];
        if (ranges.length === 0) return;
        const refuse = (cause: string, remedy: string): void => report.error("listenerPortRange", cause, remedy);
        if (backendTypeOf(settings, facts) !== "eni") {
            const cause = "ranges of ports need pods as backends: a node answers on its node ports only";
            const remedy = `set ${keyOf("backendType")}: "eni" in a cluster with Terway, or remove it`;
            report.error("listenerPortRange", cause, remedy, { code: "annotation-exclusion" });
        }
        const spans = ports.map(({ port, targetPort }, index) => {
            const own = ranges.filter((range) => range.port === port);
            if (own.length > 1) {
                const cause = `port ${port} has ${own.length} ranges, but one listener`;
                refuse(cause, "keep one of them, or add a Service port for each");
            }
            const [range] = own;
            if (range !== undefined && typeof targetPort !== "number") {
                const cause =
                    `targetPort "${targetPort}" of port ${port} is a name, ` +
                    "but health checks of a range need a number";
                refuse(cause, "write the number of the container port");
            }
            return {
                name: range === undefined ? `port ${port}` : `${range.from}-${range.to}:${port}`,
                // TCP and TCPSSL share their ports, UDP has its own.
                protocol: protocols?.[index] === "udp" ? "UDP" : "TCP",
                from: range?.from ?? port,
                to: range?.to ?? port,
            };
        });
        spans.forEach((span, index) => {
            for (const other of spans.slice(0, index)) {
                if (other.protocol !== span.protocol || other.to < span.from || span.to < other.from) continue;
                const cause = `${other.name} and ${span.name} overlap (${span.protocol})`;
                refuse(cause, "make the ranges and ports of one protocol disjoint");
            }
        });
        if (context.ports === undefined) return;
        for (const { from, to, port } of ranges) {
            if (ports.some((candidate) => candidate.port === port)) continue;
            const cause = `"${from}-${to}:${port}" names port ${port}, which the Service does not have`;
            refuse(cause, `use one of ${ports.map((candidate) => candidate.port).join(", ")}`);
        }
    }),
    checks: rule("annotation-effect", nlbDocument("Create a UDP Listener"), (context, report) => {
        const { settings, ports, protocols } = context;
        if (settings.healthCheckType !== undefined || context.attempted.has("healthCheckType")) return;
        if (settings.healthCheckFlag === "off") return;
        if (ports?.some((port, index) => protocols?.[index] === "udp" && !isJoined(settings, port)) !== true) return;
        report.warning(
            ["spec", "ports"],
            "backends of UDP listeners are checked by opening a TCP connection to their port by default, " +
                "and count as unhealthy if nothing answers there",
            `set ${keyOf("healthCheckType")}: "udp", ${keyOf("healthCheckConnectPort")} to a TCP port, ` +
                `or ${keyOf("healthCheckFlag")}: "off"`,
        );
    }),
    unchecked: rule("annotation-effect", nlbDocument("Configure TCP Health Checks"), ({ settings }, report) => {
        if (settings.healthCheckFlag !== "off") return;
        const cause = "the backends are not checked: unhealthy ones keep getting traffic";
        const remedy = `remove ${keyOf("healthCheckFlag")}, unless something else removes unhealthy backends`;
        report.warning("healthCheckFlag", cause, remedy);
    }),
    /** Pods at the edge have no network interface in the VPC. */
    edgePods: rule(
        "annotation-effect",
        edgeDocument("Expose hybrid pods with NLB (recommended)"),
        ({ settings, attempted, facts }, report) => {
            if (facts.networkPlugin !== "terway-edge" || attempted.has("serverGroupType")) return;
            if (backendTypeOf(settings, facts) !== "eni") return;
            const cause =
                "pods at the edge have no network interface in the VPC; " +
                "a server group of instances can only hold those in the cloud";
            report.warning("backendType", cause, `add ${keyOf("serverGroupType")}: "Ip"`);
        },
    ),
} satisfies Readonly<Record<string, SettingsRule>>;
