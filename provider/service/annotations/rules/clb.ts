import { LIMITS } from "../../../quotas/limits";
import { clbDocument } from "../../../schema/documents";
import { compatibilityOf } from "../../../schema/facts";
import { isAtLeast } from "../../../schema/versions";
import { instanceChargeTypeOf, ipVersionOf, settled } from "../defaults";
import { keyOfSetting as keyOf } from "../keys";
import {
    hasListener,
    mayHaveListener,
    missingListeners,
    portNames,
    portsOf,
    repeated,
    requireCertificate,
    requireIpvs,
    rule,
    type SettingsRule,
} from "./context";
import { anyRowOf } from "../catalogue";

/** Versions from which on instances are paid for by usage by default: the sources name both. */
const DISPUTED = { from: "v2.5.0", to: "v2.12.1" } as const;

const HTTP_CHECKS = clbDocument("Configure HTTP health checks");

export const clbRules = {
    specification: rule("annotation-exclusion", clbDocument("Specify the CLB instance type"), (context, report) => {
        const { settings, attempted, facts } = context;
        const { spec, instanceChargeType, id } = settings;
        if (spec === undefined || instanceChargeTypeOf(settings, facts) !== "PayByCLCU") return;
        const isSet = instanceChargeType !== undefined;
        // A refused charge type may have been PayBySpec, and a reused instance already has a charge type.
        if (!isSet && (attempted.has("instanceChargeType") || id !== undefined)) return;
        const key = keyOf("instanceChargeType");
        const other = isSet
            ? `${key}: "PayByCLCU"`
            : `PayByCLCU, which is the default of ${key} at Cloud Controller Manager ${compatibilityOf(facts)}`;
        const remedy = `${isSet ? "set" : "add"} ${key}: "PayBySpec", or drop ${keyOf("spec")}`;
        report.error("spec", `a specification cannot be combined with ${other}`, remedy);
    }),
    disputedDefault: rule("annotation-effect", clbDocument("Specify the CLB instance type"), (context, report) => {
        const { settings, attempted, facts } = context;
        const version = compatibilityOf(facts);
        if (!isAtLeast(version, DISPUTED.from) || isAtLeast(version, DISPUTED.to)) return;
        if (attempted.has("instanceChargeType") || settings.id !== undefined || settings.spec !== undefined) return;
        if (instanceChargeTypeOf(settings, facts) !== "PayByCLCU") return;
        const cause =
            "is not set: a new instance is paid for by usage (PayByCLCU); the default is that from " +
            `Cloud Controller Manager ${DISPUTED.from} on by its documents, but from ${DISPUTED.to} on by its ` +
            `release notes, and the cluster is at ${version}`;
        report.warning("instanceChargeType", cause, `set ${keyOf("instanceChargeType")}: "PayByCLCU" or "PayBySpec"`);
    }),
    bandwidth: rule("annotation-exclusion", "SLB API, CreateLoadBalancer, InternetChargeType", (context, report) => {
        const { settings } = context;
        if (settings.instanceChargeType !== "PayByCLCU" || settings.chargeType !== "paybybandwidth") return;
        const cause = `traffic cannot be paid for by bandwidth with ${keyOf("instanceChargeType")}: "PayByCLCU"`;
        const remedy = `set ${keyOf("instanceChargeType")}: "PayBySpec", or ${keyOf("chargeType")}: "paybytraffic"`;
        report.error("chargeType", cause, remedy);
    }),
    traffic: rule(
        "annotation-exclusion",
        clbDocument("Create a pay-by-bandwidth CLB instance"),
        ({ settings }, report) => {
            if (settings.addressType !== "intranet") return;
            for (const field of ["chargeType", "bandwidth"] as const) {
                if (settings[field] === undefined) continue;
                const internal = `an internal load balancer (${keyOf("addressType")}: "intranet")`;
                const cause = `${internal} has no public traffic to pay for`;
                report.error(field, cause, `remove ${keyOf(field)}`);
            }
        },
    ),
    hostname: rule("annotation-effect", clbDocument("Set a hostname for the Service"), (context, report) => {
        if (context.settings.hostname === undefined || !hasListener(context, "tcp", "udp")) return;
        const cause =
            "a pod that reaches itself through a TCP or UDP listener may get no answer, " +
            "because its own address comes back to it";
        report.warning(
            "hostname",
            cause,
            "use HTTP or HTTPS listeners, or keep clients and backends on different nodes",
        );
    }),
    networkType: rule("annotation-unsupported", anyRowOf("networkType").source, ({ settings }, report) => {
        if (settings.networkType !== "classic") return;
        const cause = "the classic network has been retired: load balancers are made in VPCs only";
        report.error("networkType", cause, `remove ${keyOf("networkType")}`);
    }),
    ipv6: rule("annotation-exclusion", clbDocument("Create an IPv6 CLB instance"), ({ settings, facts }, report) => {
        if (settings.ipVersion !== "ipv6") return;
        if (settings.ip !== undefined) {
            const cause = `an IPv4 address and ${keyOf("ipVersion")}: "ipv6" contradict each other`;
            report.error("ip", cause, `remove ${keyOf("ip")} or ${keyOf("ipVersion")}`);
        }
        requireIpvs(facts, report);
        if (ipVersionOf(settings) === "ipv4") {
            const cause =
                "an internal load balancer is made with an IPv4 address: the cloud has no other ones, " +
                "and the documents name none";
            const remedy = `remove ${keyOf("ipVersion")}, or use ${keyOf("addressType")}: "internet" with IPv6`;
            report.warning("ipVersion", cause, remedy, { code: "annotation-effect" });
        } else {
            const cause = "only clients with IPv6 can reach the address";
            report.warning("ipVersion", cause, "make sure that all clients have IPv6", { code: "annotation-effect" });
        }
    }),
    vswitch: rule("annotation-companion", clbDocument("Create an internal CLB instance"), (context, report) => {
        const { settings, attempted, facts } = context;
        if (settings.addressType !== "intranet" || attempted.has("vswitchId") || attempted.has("id")) return;
        if ((facts.vswitches ?? []).length > 0 || facts.offline === true) {
            const cause =
                "no vSwitch is named: one of the cluster's is taken and kept" +
                (facts.offline === true ? "; a run is refused if the cluster has none" : "");
            report.warning("addressType", cause, `name one with ${keyOf("vswitchId")}`, { code: "annotation-effect" });
        } else
            report.error(
                "addressType",
                `"intranet" needs ${keyOf("vswitchId")}, because nothing is known of the cluster's vSwitches`,
                `add ${keyOf("vswitchId")}, or add vswitches to the facts about the cluster: ack-loadbalancer doctor ` +
                    "lists the facts of the cluster, and aliyun vpc DescribeVSwitches --VpcId <vpc> those of the VPC",
            );
    }),
    certificate: rule("annotation-companion", clbDocument("Create an HTTPS listener"), (context, report) => {
        const https = portsOf(context, "https");
        requireCertificate("an HTTPS", https, context, report);
        for (const { port, targetPort, index } of https) {
            if (targetPort !== 443 || context.settings.protocolPort === undefined) continue;
            const cause = `the HTTPS listener on port ${port} decrypts: target port 443 gets plain HTTP`;
            const remedy = "point targetPort to a port that speaks HTTP";
            report.warning(["spec", "ports", index, "targetPort"], cause, remedy, { code: "annotation-effect" });
        }
    }),
    /** The cloud would refuse the second certificate of a domain only after it has the first. */
    domains: rule(
        "annotation-value",
        clbDocument("Configure multiple certificates for an HTTPS listener"),
        ({ settings }, report) => {
            const domains = (settings.domainExtensions ?? []).map((entry) => entry.domain.toLowerCase());
            const { most, source } = LIMITS.extraDomains;
            if (domains.length > most) {
                const cause = `names ${domains.length} further domains, but a listener has ${most} at most`;
                const remedy = "use a certificate of several domains for the others, or a separate Service";
                report.error("domainExtensions", cause, remedy, { source });
            }
            for (const domain of repeated(domains)) {
                const cause = `the domain "${domain}" is there twice`;
                report.error("domainExtensions", cause, "keep one certificate for the domain");
            }
        },
    ),
    forwardPort: rule("annotation-port", clbDocument("Redirect HTTP to HTTPS"), (context, report) => {
        const { settings, attempted, ports } = context;
        const { protocolPort, forwardPort } = settings;
        if (forwardPort === undefined || protocolPort === undefined) return;
        for (const port of repeated(forwardPort.map(({ http }) => http)))
            report.error("forwardPort", `port ${port} is redirected twice`, "keep one of the entries");
        for (const { protocol, port } of missingListeners(settings)) {
            const lacksCertificate = protocol === "https" && !attempted.has("certId");
            const [need, and] = lacksCertificate
                ? [`, which needs ${keyOf("certId")}`, ` and add ${keyOf("certId")}`]
                : ["", ""];
            const cause = `port ${port} is no ${protocol.toUpperCase()} listener${need}`;
            const entry = `"${protocol}:${port}" to ${keyOf("protocolPort")}`;
            const add = `add ${entry}${and}, or remove ${keyOf("forwardPort")}`;
            const isOther = protocolPort.some((one) => one.port === port && one.protocol !== "udp");
            const missing = ports?.every((one) => one.port !== port) ? portNames(ports) : undefined;
            report.error("forwardPort", cause, missing ?? (isOther ? "name an HTTP port, then an HTTPS port" : add));
        }
    }),
    /** The document allows letters and digits, and shows a hyphen. */
    cookie: rule(
        "annotation-effect",
        clbDocument("Configure session persistence for HTTP and HTTPS listeners"),
        ({ settings }, report) => {
            if (settings.cookie === undefined || /^[A-Za-z0-9_-]+$/.test(settings.cookie)) return;
            const cause = 'the cloud may refuse cookie names with other characters than letters, digits, "_" and "-"';
            report.warning("cookie", cause, "rename the cookie");
        },
    ),
    scheduler: rule("annotation-effect", clbDocument("Set the scheduling algorithm"), (context, report) => {
        const algorithm = context.settings.scheduler;
        if ((algorithm === "sch" || algorithm === "tch") && hasListener(context, "http", "https")) {
            const cause = `"${algorithm}" is documented without saying whether HTTP and HTTPS listeners know it`;
            report.warning("scheduler", cause, `use "rr" or "wrr" for HTTP and HTTPS listeners`);
        }
        if (algorithm === "wlc") {
            const cause = '"wlc" is no documented value of a CLB; only the API of the cloud says whether it is one';
            report.warning("scheduler", cause, 'use "wrr"', { code: "annotation-undocumented" });
        }
    }),
    timeouts: rule("annotation-effect", undefined, ({ settings, attempted }, report) => {
        if (settings.healthCheckInterval === undefined && attempted.has("healthCheckInterval")) return;
        const interval = settled(settings, "healthCheckInterval", "clb");
        for (const field of ["healthCheckConnectTimeout", "healthCheckTimeout"] as const) {
            const timeout = settings[field];
            if (timeout === undefined || timeout >= interval) continue;
            const less = `a timeout of ${timeout} s is less than the interval of ${interval} s`;
            const cause = `${less}, and ${interval} s is used`;
            const remedy = `write ${interval} or more, or shorten ${keyOf("healthCheckInterval")}`;
            report.warning(field, cause, remedy, { source: anyRowOf(field).source });
        }
    }),
    unchecked: rule("annotation-effect", clbDocument("Create an HTTP listener"), (context, report) => {
        const { healthCheckFlag, healthCheckSwitch } = context.settings;
        const refused = healthCheckFlag === undefined && context.attempted.has("healthCheckFlag");
        const isHttp = hasListener(context, "http", "https");
        if (isHttp && healthCheckFlag !== "on" && !refused) {
            const flag = keyOf("healthCheckFlag");
            const cause = `the backends of HTTP and HTTPS listeners are not checked unless ${flag} is "on"`;
            const setting = healthCheckFlag === undefined ? "protocolPort" : "healthCheckFlag";
            report.warning(setting, cause, `add ${flag}: "on"`);
        }
        if (isHttp && healthCheckFlag === "on" && !context.attempted.has("healthCheckUri"))
            report.warning(
                "healthCheckFlag",
                `"on" should come with ${keyOf("healthCheckUri")}, because checks by HTTP ask for "/" by default`,
                `add ${keyOf("healthCheckUri")}`,
                { code: "annotation-companion", source: HTTP_CHECKS },
            );
        if (healthCheckSwitch === "off" && mayHaveListener(context, "tcp", "udp"))
            report.warning(
                "healthCheckSwitch",
                "the backends of TCP and UDP listeners are not checked: unhealthy ones keep getting traffic",
                `remove ${keyOf("healthCheckSwitch")}, unless something else removes unhealthy backends`,
                { source: clbDocument("Disable health checks for TCP and UDP listeners") },
            );
    }),
    checkType: rule("annotation-effect", HTTP_CHECKS, (context, report) => {
        if (context.settings.healthCheckType !== "tcp") return;
        if (hasListener(context, "tcp") || !hasListener(context, "http", "https")) return;
        const cause = "HTTP and HTTPS listeners check by HTTP, whatever the type";
        report.warning("healthCheckType", cause, `remove ${keyOf("healthCheckType")}`);
    }),
} satisfies Readonly<Record<string, SettingsRule>>;
