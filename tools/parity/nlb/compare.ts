import type { RecordedCloud, RecordedListener, RecordedLoadBalancer, Sent } from "../case";
import {
    compareAttributes,
    compareBackends,
    compareListener,
    comparePairs,
    compareTags,
    matchEach,
    type Report,
} from "../compare-parts";
import type { NlbListener, NlbLoadBalancer, NlbServerGroup, NlbState, SecurityGroup } from "./state";
import { ANY_CASE } from "./spec";

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
        // The create of a group's successor names an empty resource group, which is the default.
        if (name === ZONES || value === undefined || (name === "ResourceGroupId" && value === "")) continue;
        if (value !== null && typeof value === "object" && !Array.isArray(value)) {
            for (const [part, item] of Object.entries(value))
                nested.push([FLAT_NAMES[`${name}.${part}`] ?? part, textOf(part, item)]);
        } else {
            plain.push([name, textOf(name, value)]);
        }
    }
    // A later call sets the plain parameter, and the create sends it in a structure.
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
    const known = new Set(matched.values());
    comparePairs(
        recorded.loadBalancers
            .filter(({ product }) => product === "nlb")
            .map((expected) => [expected, matched.get(expected.ref)]),
        state.loadBalancers.filter((candidate) => !known.has(candidate)).map(({ name }) => `instance ${name}`),
        ({ ref }) => `instance ${ref}`,
        (expected, actual) => {
            const { ref, tags, preExisting = false, securityGroupIds = [] } = expected;
            const sent = flatten(expected.sent);
            compareAttributes(`nlb ${ref}`, "nlb", sent, instanceAttributes(actual), preExisting, report);
            compareZones(expected, actual, report);
            const guardNames = securityGroupIds.map((guard) => guards.get(guard)?.id ?? guard);
            report(`nlb ${ref} SecurityGroupIds`, sorted(guardNames), sorted(actual.securityGroupIds));
            compareTags(ref, tags, actual.tags, report);
        },
        report,
    );
}

const sorted = (ids: readonly string[] = []): string => [...ids].sort().join(",");

/** Zones by name. Addresses count only where they were asked for: else the cloud gives any. */
function compareZones(expected: RecordedLoadBalancer, actual: NlbLoadBalancer, report: Report): void {
    const asked: unknown = expected.sent[ZONES];
    if (!Array.isArray(asked)) return;
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
 * Matches observed server groups with recorded groups: by id if it existed before, else by name and type, because a
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
    const known = new Set(matched.values());
    comparePairs(
        recorded.serverGroups
            .filter(({ lb }) => lb === undefined)
            .map((expected) => [expected, matched.get(expected.ref)]),
        state.serverGroups.filter((candidate) => !known.has(candidate)).map(({ name }) => `group ${name}`),
        ({ name }) => `group ${name}`,
        (expected, actual, where) => {
            const { name, sent = {}, tags = {}, preExisting = false } = expected;
            report(`${where} name`, name, actual.name);
            compareAttributes(where, "group", flatten(sent), groupAttributes(actual), preExisting, report);
            compareTags(name, tags, actual.tags, report);
            const members = actual.servers.map(({ serverType, ...member }) => ({ ...member, type: serverType }));
            compareBackends(expected, members, report);
        },
        report,
    );
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
    const instances = new Set([...matched.values()].map(({ id }) => id));
    const left = new Set(state.listeners.filter(({ loadBalancerId }) => instances.has(loadBalancerId)));
    const names = new Map(state.serverGroups.map(({ id, name }) => [id, name]));
    const nameOf = (expected: RecordedListener) => `listener ${expected.protocol}:${recordedPorts(expected)}`;
    const actualName = (actual: NlbListener) => `listener ${actual.protocol}:${portsOf(actual)}`;
    const pairs = matchEach(
        recorded.listeners.filter(({ lb }) => matched.has(lb)),
        left,
        (expected, actual) =>
            actual.loadBalancerId === matched.get(expected.lb)?.id && actualName(actual) === nameOf(expected),
    );
    comparePairs(
        pairs,
        [...left].map(actualName),
        nameOf,
        (expected, actual, where) => {
            const group = groups.get(expected.serverGroup)?.name ?? expected.serverGroup;
            compareListener(where, expected, flatten(expected.sent), report, {
                status: actual.status,
                groups: [group, names.get(actual.serverGroupId)],
                attributes: listenerAttributes(actual),
            });
            report(
                `${where} AdditionalCertificateIds`,
                sorted(expected.additionalCertificates),
                sorted(actual.additionalCertificateIds),
            );
        },
        report,
    );
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

/** Returns a rule as a line, without its description. */
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

/** Compares managed security groups. Groups that a Service names are never changed. */
function compareGuards(recorded: RecordedCloud, state: NlbState, matched: Guards, report: Report): void {
    const known = new Set(matched.values());
    comparePairs(
        (recorded.securityGroups ?? []).map((expected) => [expected, matched.get(expected.ref)]),
        state.securityGroups
            .filter((candidate) => candidate.name.startsWith("k8s-nlb-") && !known.has(candidate))
            .map(({ name }) => `guard ${name}`),
        ({ name }) => `guard ${name}`,
        ({ name, sent, tags, rules }, actual, where) => {
            const attributes = {
                Description: actual.description,
                SecurityGroupName: actual.name,
                SecurityGroupType: actual.type,
                VpcId: actual.vpcId,
            };
            compareAttributes(where, "guard", sent, attributes, false, report);
            compareTags(name, tags, actual.tags, report);
            const present = (list: readonly string[], rule: string) => (list.includes(rule) ? "present" : undefined);
            const [expectedRules, actualRules] = [rules.map(ruleText), rulesOf(actual)];
            for (const rule of new Set([...expectedRules, ...actualRules]))
                report(`${where} rule ${rule}`, present(expectedRules, rule), present(actualRules, rule));
        },
        report,
    );
}
