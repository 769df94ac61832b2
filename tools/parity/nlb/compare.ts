import type { RecordedCloud, RecordedListener, RecordedLoadBalancer, Sent } from "../case";
import { compareAttributes, compareBackends, compareListener, compareTags, type Report } from "../compare-parts";
import type { NlbListener, NlbLoadBalancer, NlbServerGroup, NlbState, SecurityGroup } from "./state";
import { ANY_CASE } from "./parameters";

type Matched = ReadonlyMap<string, NlbLoadBalancer>;

/** Compares NLB instances, their server groups and security groups with the recording. */
export function compareNlb(recorded: RecordedCloud, state: NlbState, matched: Matched, report: Report): void {
    const groups = matchGroups(recorded, state);
    const guards = matchGuards(recorded, state);
    compareInstances(recorded, state, matched, guards, report);
    compareGroups(recorded, state, groups, report);
    compareListeners(recorded, state, matched, groups, report);
    compareGuards(recorded, state, guards, report);
}

/* ---- words of the requests ---- */

/** Parameters that are called otherwise where they are not part of a structure. */
const FLAT_NAMES: Readonly<Record<string, string>> = {
    "DeletionProtectionConfig.Enabled": "DeletionProtectionEnabled",
    "ModificationProtectionConfig.Status": "ModificationProtectionStatus",
    "ModificationProtectionConfig.Reason": "ModificationProtectionReason",
};

/** Compared zone by zone. */
const ZONES = "ZoneMappings";

/**
 * Parameters as a flat list of strings: structures are flattened, lists sorted, and case-insensitive values in lower
 * case.
 */
function flatten(params: Readonly<Record<string, unknown>>): Record<string, string> {
    const nested: [string, string][] = [];
    const plain: [string, string][] = [];
    for (const [name, value] of Object.entries(params)) {
        // The create of a group's successor names an empty resource group, which is the default one.
        if (name === ZONES || value === undefined || (name === "ResourceGroupId" && value === "")) continue;
        if (value !== null && typeof value === "object" && !Array.isArray(value)) {
            for (const [part, item] of Object.entries(value))
                nested.push([FLAT_NAMES[`${name}.${part}`] ?? part, textOf(part, item)]);
        } else {
            plain.push([name, textOf(name, value)]);
        }
    }
    // A later call sets the plain parameter; the create sends it in a structure.
    return Object.fromEntries([...nested, ...plain]);
}

function textOf(name: string, value: unknown): string {
    const text = Array.isArray(value) ? [...value].map(String).sort().join(",") : String(value);
    return ANY_CASE.has(name) ? text.toLowerCase() : text;
}

/* ---- instances ---- */

function instanceAttributes(actual: NlbLoadBalancer): Record<string, string> {
    return flatten({
        AddressIpVersion: actual.addressIpVersion,
        AddressType: actual.addressType,
        BandwidthPackageId: actual.bandwidthPackageId,
        CrossZoneEnabled: actual.crossZoneEnabled,
        DeletionProtectionEnabled: actual.deletionProtection.enabled,
        Ipv6AddressType: actual.ipv6AddressType,
        LoadBalancerName: actual.name,
        ModificationProtectionReason: actual.modificationProtection.reason,
        ModificationProtectionStatus: actual.modificationProtection.status,
        ResourceGroupId: actual.resourceGroupId,
        VpcId: actual.vpcId,
    });
}

function compareInstances(
    recorded: RecordedCloud,
    state: NlbState,
    matched: Matched,
    guards: Guards,
    report: Report,
): void {
    for (const expected of recorded.loadBalancers.filter(({ product }) => product === "nlb")) {
        const actual = matched.get(expected.ref);
        if (actual === undefined) {
            report(`instance ${expected.ref}`, "present", undefined);
            continue;
        }
        compareAttributes(
            `nlb ${expected.ref}`,
            "nlb",
            flatten(expected.sent),
            instanceAttributes(actual),
            expected.preExisting === true,
            report,
        );
        compareZones(expected, actual, report);
        const guardNames = (expected.securityGroupIds ?? []).map((ref) => guards.get(ref)?.id ?? ref);
        report(
            `nlb ${expected.ref} SecurityGroupIds`,
            guardNames.sort().join(","),
            [...actual.securityGroupIds].sort().join(","),
        );
        compareTags(expected.ref, expected.tags, actual.tags, report);
    }
    const known = new Set(matched.values());
    for (const actual of state.loadBalancers.filter((candidate) => !known.has(candidate))) {
        report(`instance ${actual.name}`, undefined, "present");
    }
}

/** Zones by name. Addresses count only where they were asked for: else the cloud gives any. */
function compareZones(expected: RecordedLoadBalancer, actual: NlbLoadBalancer, report: Report): void {
    const asked: unknown = expected.sent[ZONES];
    if (!Array.isArray(asked)) {
        return;
    }
    const expectedByKey = new Map((asked as Sent[]).map((zone) => [zone["ZoneId"] ?? "", zone]));
    const actualByKey = new Map(actual.zones.map((zone) => [zone.zoneId, zone]));
    for (const id of new Set([...expectedByKey.keys(), ...actualByKey.keys()])) {
        const [a, b] = [expectedByKey.get(id), actualByKey.get(id)];
        report(`zone ${expected.ref} ${id} VSwitchId`, a?.["VSwitchId"], b?.vSwitchId);
        if (a?.["PrivateIPv4Address"] !== undefined)
            report(`zone ${expected.ref} ${id} PrivateIPv4Address`, a["PrivateIPv4Address"], b?.privateAddress);
        if (a?.["AllocationId"] !== undefined)
            report(`zone ${expected.ref} ${id} AllocationId`, a["AllocationId"], b?.allocationId);
    }
}

/* ---- groups ---- */

type Groups = ReadonlyMap<string, NlbServerGroup>;

/**
 * Matches observed server groups with recorded ones: by id if it existed before, else by name and type, because a
 * change of type creates a second group with the name.
 */
function matchGroups(recorded: RecordedCloud, state: NlbState): Groups {
    const left = new Set(state.serverGroups);
    const matched = new Map<string, NlbServerGroup>();
    for (const { ref, name, sent = {} } of recorded.serverGroups.filter(({ lb }) => lb === undefined)) {
        const named = [...left].filter((candidate) => candidate.id === ref || candidate.name === name);
        const actual = named.find(({ type }) => type === (sent["ServerGroupType"] ?? "Instance")) ?? named[0];
        if (actual !== undefined) {
            matched.set(ref, actual);
            left.delete(actual);
        }
    }
    return matched;
}

function groupAttributes(actual: NlbServerGroup): Record<string, string> {
    return flatten({
        AddressIPVersion: actual.addressIpVersion,
        AnyPortEnabled: actual.anyPortEnabled,
        ConnectionDrainEnabled: actual.connectionDrainEnabled,
        ConnectionDrainTimeout: actual.connectionDrainTimeout,
        HealthCheckConfig: actual.healthCheck,
        IpVersionAffinityMode: actual.ipVersionAffinityMode,
        PreserveClientIpEnabled: actual.preserveClientIpEnabled,
        Protocol: actual.protocol,
        ResourceGroupId: actual.resourceGroupId,
        Scheduler: actual.scheduler,
        ServerGroupType: actual.type,
        VpcId: actual.vpcId,
    });
}

function compareGroups(recorded: RecordedCloud, state: NlbState, matched: Groups, report: Report): void {
    for (const expected of recorded.serverGroups.filter(({ lb }) => lb === undefined)) {
        const actual = matched.get(expected.ref);
        if (actual === undefined) {
            report(`group ${expected.name}`, "present", undefined);
            continue;
        }
        report(`group ${expected.name} name`, expected.name, actual.name);
        compareAttributes(
            `group ${expected.name}`,
            "group",
            flatten(expected.sent ?? {}),
            groupAttributes(actual),
            expected.preExisting === true,
            report,
        );
        compareTags(expected.name, expected.tags ?? {}, actual.tags, report);
        const members = actual.servers.map(({ serverType, ...member }) => ({ ...member, type: serverType }));
        compareBackends(expected, members, report);
    }
    const known = new Set(matched.values());
    for (const actual of state.serverGroups.filter((candidate) => !known.has(candidate))) {
        report(`group ${actual.name}`, undefined, "present");
    }
}

/* ---- listeners ---- */

/** Port of a listener, or the ports of a range: `80` or `80-400`. */
function portsOf({ port, startPort, endPort }: Pick<NlbListener, "port" | "startPort" | "endPort">): string {
    return port === 0 ? `${startPort ?? 1}-${endPort ?? 65535}` : String(port);
}

function recordedPorts({ port, sent }: RecordedListener): string {
    return portsOf({ port, startPort: Number(sent["StartPort"] ?? 1), endPort: Number(sent["EndPort"] ?? 65535) });
}

function listenerAttributes(actual: NlbListener): Record<string, string> {
    return flatten({
        AlpnEnabled: actual.alpnEnabled,
        AlpnPolicy: actual.alpnPolicy,
        CaCertificateIds: actual.caCertificateIds,
        CaEnabled: actual.caEnabled,
        CertificateIds: actual.certificateIds,
        Cps: actual.cps,
        EndPort: actual.endPort,
        IdleTimeout: actual.idleTimeout,
        ListenerDescription: actual.description,
        ProxyProtocolEnabled: actual.proxyProtocolEnabled,
        ProxyProtocolV2Config: actual.proxyProtocolV2Config,
        SecurityPolicyId: actual.securityPolicyId,
        StartPort: actual.startPort,
    });
}

function compareListeners(
    recorded: RecordedCloud,
    state: NlbState,
    matched: Matched,
    groups: Groups,
    report: Report,
): void {
    const left = new Set(state.listeners);
    const names = new Map(state.serverGroups.map(({ id, name }) => [id, name]));
    for (const expected of recorded.listeners) {
        const lb = matched.get(expected.lb);
        if (lb === undefined) {
            continue;
        }
        const where = `listener ${expected.protocol}:${recordedPorts(expected)}`;
        const actual = [...left].find(
            (one) =>
                one.loadBalancerId === lb.id &&
                one.protocol === expected.protocol &&
                portsOf(one) === recordedPorts(expected),
        );
        if (actual === undefined) {
            report(where, "present", undefined);
            continue;
        }
        left.delete(actual);
        compareListener(where, expected, flatten(expected.sent), report, {
            status: actual.status,
            groups: [groups.get(expected.serverGroup)?.name ?? expected.serverGroup, names.get(actual.serverGroupId)],
            attributes: listenerAttributes(actual),
        });
        report(
            `${where} AdditionalCertificateIds`,
            [...(expected.additionalCertificates ?? [])].sort().join(","),
            [...actual.additionalCertificateIds].sort().join(","),
        );
    }
    const instances = new Set([...matched.values()].map(({ id }) => id));
    for (const actual of left) {
        if (instances.has(actual.loadBalancerId)) {
            report(`listener ${actual.protocol}:${portsOf(actual)}`, undefined, "present");
        }
    }
}

/* ---- security groups ---- */

type Guards = ReadonlyMap<string, SecurityGroup>;

function matchGuards(recorded: RecordedCloud, state: NlbState): Guards {
    return new Map(
        (recorded.securityGroups ?? []).flatMap(({ ref, name }) => {
            const actual = state.securityGroups.find((candidate) => candidate.name === name);
            return actual === undefined ? [] : [[ref, actual] as const];
        }),
    );
}

/** A rule in one line, without its description. */
function ruleText(rule: Readonly<Record<string, string>>): string {
    return ["Policy", "Priority", "IpProtocol", "PortRange", "SourceCidrIp", "Ipv6SourceCidrIp"]
        .map((name) => (rule[name] ?? "").toLowerCase())
        .join(" ");
}

function rulesOf({ permissions }: SecurityGroup): string[] {
    return permissions
        .filter(({ direction }) => direction === "ingress")
        .map(({ policy, priority, ipProtocol, portRange, sourceCidrIp, ipv6SourceCidrIp }) =>
            ruleText({
                Policy: policy,
                Priority: priority,
                IpProtocol: ipProtocol,
                PortRange: portRange,
                SourceCidrIp: sourceCidrIp,
                Ipv6SourceCidrIp: ipv6SourceCidrIp,
            }),
        );
}

/** Managed security groups; those that a Service names are never changed. */
function compareGuards(recorded: RecordedCloud, state: NlbState, matched: Guards, report: Report): void {
    for (const expected of recorded.securityGroups ?? []) {
        const actual = matched.get(expected.ref);
        if (actual === undefined) {
            report(`guard ${expected.name}`, "present", undefined);
            continue;
        }
        const attributes = {
            Description: actual.description,
            SecurityGroupName: actual.name,
            SecurityGroupType: actual.type,
            VpcId: actual.vpcId,
        };
        compareAttributes(`guard ${expected.name}`, "guard", expected.sent, attributes, false, report);
        compareTags(expected.name, expected.tags, actual.tags, report);
        const [expectedByKey, actualByKey] = [new Set(expected.rules.map(ruleText)), new Set(rulesOf(actual))];
        for (const rule of new Set([...expectedByKey, ...actualByKey])) {
            report(
                `guard ${expected.name} rule ${rule}`,
                expectedByKey.has(rule) ? "present" : undefined,
                actualByKey.has(rule) ? "present" : undefined,
            );
        }
    }
    const known = new Set(matched.values());
    for (const actual of state.securityGroups.filter(
        (candidate) => candidate.name.startsWith("k8s-nlb-") && !known.has(candidate),
    )) {
        report(`guard ${actual.name}`, undefined, "present");
    }
}
