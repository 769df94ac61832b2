import type { RecordedCloud, RecordedListener, RecordedLoadBalancer, Sent } from "../case";
import { compareAttributes, compareBackends, compareTags, type Report } from "../parts";
import type { NlbListener, NlbLoadBalancer, NlbServerGroup, NlbState, SecurityGroup } from "./state";
import { ANY_CASE } from "./words";

type Matched = ReadonlyMap<string, NlbLoadBalancer>;

/** Compares network load balancers, their groups and what guards them with what was recorded. */
export function compareNetwork(recorded: RecordedCloud, state: NlbState, matched: Matched, report: Report): void {
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

/** Parameters as a flat list of texts: structures are taken apart, lists are sorted, and letters made small where they do not count. */
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
    // A later call has set what is said plainly; the create said it in a structure.
    return Object.fromEntries([...nested, ...plain]);
}

function textOf(name: string, value: unknown): string {
    const text = Array.isArray(value) ? [...value].map(String).sort().join(",") : String(value);
    return ANY_CASE.has(name) ? text.toLowerCase() : text;
}

/* ---- instances ---- */

function instanceAttributes(ours: NlbLoadBalancer): Record<string, string> {
    return flatten({
        AddressIpVersion: ours.addressIpVersion,
        AddressType: ours.addressType,
        BandwidthPackageId: ours.bandwidthPackageId,
        CrossZoneEnabled: ours.crossZoneEnabled,
        DeletionProtectionEnabled: ours.deletionProtection.enabled,
        Ipv6AddressType: ours.ipv6AddressType,
        LoadBalancerName: ours.name,
        ModificationProtectionReason: ours.modificationProtection.reason,
        ModificationProtectionStatus: ours.modificationProtection.status,
        ResourceGroupId: ours.resourceGroupId,
        VpcId: ours.vpcId,
    });
}

function compareInstances(
    recorded: RecordedCloud,
    state: NlbState,
    matched: Matched,
    guards: Guards,
    report: Report,
): void {
    for (const wanted of recorded.loadBalancers.filter(({ product }) => product === "nlb")) {
        const ours = matched.get(wanted.ref);
        if (ours === undefined) {
            report(`instance ${wanted.ref}`, "present", undefined);
            continue;
        }
        compareAttributes(
            `nlb ${wanted.ref}`,
            "nlb",
            flatten(wanted.sent),
            instanceAttributes(ours),
            wanted.preExisting === true,
            report,
        );
        compareZones(wanted, ours, report);
        const guardNames = (wanted.securityGroupIds ?? []).map((ref) => guards.get(ref)?.id ?? ref);
        report(
            `nlb ${wanted.ref} SecurityGroupIds`,
            guardNames.sort().join(","),
            [...ours.securityGroupIds].sort().join(","),
        );
        compareTags(wanted.ref, wanted.tags, ours.tags, report);
    }
    const known = new Set(matched.values());
    for (const ours of state.loadBalancers.filter((candidate) => !known.has(candidate))) {
        report(`instance ${ours.name}`, undefined, "present");
    }
}

/** Zones by name. Addresses count only where they were asked for: else the cloud gives any. */
function compareZones(wanted: RecordedLoadBalancer, ours: NlbLoadBalancer, report: Report): void {
    const asked: unknown = wanted.sent[ZONES];
    if (!Array.isArray(asked)) {
        return;
    }
    const theirs = new Map((asked as Sent[]).map((zone) => [zone["ZoneId"] ?? "", zone]));
    const mine = new Map(ours.zones.map((zone) => [zone.zoneId, zone]));
    for (const id of new Set([...theirs.keys(), ...mine.keys()])) {
        const [a, b] = [theirs.get(id), mine.get(id)];
        report(`zone ${wanted.ref} ${id} VSwitchId`, a?.["VSwitchId"], b?.vSwitchId);
        if (a?.["PrivateIPv4Address"] !== undefined)
            report(`zone ${wanted.ref} ${id} PrivateIPv4Address`, a["PrivateIPv4Address"], b?.privateAddress);
        if (a?.["AllocationId"] !== undefined)
            report(`zone ${wanted.ref} ${id} AllocationId`, a["AllocationId"], b?.allocationId);
    }
}

/* ---- groups ---- */

type Groups = ReadonlyMap<string, NlbServerGroup>;

/** Which of our groups is which of the recorded ones: by id if it was there before, else by name and, as a change of type makes a second group of one name, by type. */
function matchGroups(recorded: RecordedCloud, state: NlbState): Groups {
    const left = new Set(state.serverGroups);
    const matched = new Map<string, NlbServerGroup>();
    for (const { ref, name, sent = {} } of recorded.serverGroups.filter(({ lb }) => lb === undefined)) {
        const named = [...left].filter((candidate) => candidate.id === ref || candidate.name === name);
        const ours = named.find(({ type }) => type === (sent["ServerGroupType"] ?? "Instance")) ?? named[0];
        if (ours !== undefined) {
            matched.set(ref, ours);
            left.delete(ours);
        }
    }
    return matched;
}

function groupAttributes(ours: NlbServerGroup): Record<string, string> {
    return flatten({
        AddressIPVersion: ours.addressIpVersion,
        AnyPortEnabled: ours.anyPortEnabled,
        ConnectionDrainEnabled: ours.connectionDrainEnabled,
        ConnectionDrainTimeout: ours.connectionDrainTimeout,
        HealthCheckConfig: ours.healthCheck,
        IpVersionAffinityMode: ours.ipVersionAffinityMode,
        PreserveClientIpEnabled: ours.preserveClientIpEnabled,
        Protocol: ours.protocol,
        ResourceGroupId: ours.resourceGroupId,
        Scheduler: ours.scheduler,
        ServerGroupType: ours.type,
        VpcId: ours.vpcId,
    });
}

function compareGroups(recorded: RecordedCloud, state: NlbState, matched: Groups, report: Report): void {
    for (const wanted of recorded.serverGroups.filter(({ lb }) => lb === undefined)) {
        const ours = matched.get(wanted.ref);
        if (ours === undefined) {
            report(`group ${wanted.name}`, "present", undefined);
            continue;
        }
        report(`group ${wanted.name} name`, wanted.name, ours.name);
        compareAttributes(
            `group ${wanted.name}`,
            "group",
            flatten(wanted.sent ?? {}),
            groupAttributes(ours),
            wanted.preExisting === true,
            report,
        );
        compareTags(wanted.name, wanted.tags ?? {}, ours.tags, report);
        const members = ours.servers.map(({ serverType, ...member }) => ({ ...member, type: serverType }));
        compareBackends(wanted, members, report);
    }
    const known = new Set(matched.values());
    for (const ours of state.serverGroups.filter((candidate) => !known.has(candidate))) {
        report(`group ${ours.name}`, undefined, "present");
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

function listenerAttributes(ours: NlbListener): Record<string, string> {
    return flatten({
        AlpnEnabled: ours.alpnEnabled,
        AlpnPolicy: ours.alpnPolicy,
        CaCertificateIds: ours.caCertificateIds,
        CaEnabled: ours.caEnabled,
        CertificateIds: ours.certificateIds,
        Cps: ours.cps,
        EndPort: ours.endPort,
        IdleTimeout: ours.idleTimeout,
        ListenerDescription: ours.description,
        ProxyProtocolEnabled: ours.proxyProtocolEnabled,
        ProxyProtocolV2Config: ours.proxyProtocolV2Config,
        SecurityPolicyId: ours.securityPolicyId,
        StartPort: ours.startPort,
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
    for (const wanted of recorded.listeners) {
        const lb = matched.get(wanted.lb);
        if (lb === undefined) {
            continue;
        }
        const where = `listener ${wanted.protocol}:${recordedPorts(wanted)}`;
        const ours = [...left].find(
            (one) =>
                one.loadBalancerId === lb.id &&
                one.protocol === wanted.protocol &&
                portsOf(one) === recordedPorts(wanted),
        );
        if (ours === undefined) {
            report(where, "present", undefined);
            continue;
        }
        left.delete(ours);
        report(`${where} status`, wanted.status, ours.status);
        report(
            `${where} group`,
            groups.get(wanted.serverGroup)?.name ?? wanted.serverGroup,
            names.get(ours.serverGroupId),
        );
        compareAttributes(
            where,
            wanted.protocol,
            flatten(wanted.sent),
            listenerAttributes(ours),
            wanted.preExisting === true,
            report,
        );
        report(
            `${where} AdditionalCertificateIds`,
            [...(wanted.additionalCertificates ?? [])].sort().join(","),
            [...ours.additionalCertificateIds].sort().join(","),
        );
    }
    const instances = new Set([...matched.values()].map(({ id }) => id));
    for (const ours of left) {
        if (instances.has(ours.loadBalancerId)) {
            report(`listener ${ours.protocol}:${portsOf(ours)}`, undefined, "present");
        }
    }
}

/* ---- security groups ---- */

type Guards = ReadonlyMap<string, SecurityGroup>;

function matchGuards(recorded: RecordedCloud, state: NlbState): Guards {
    return new Map(
        (recorded.securityGroups ?? []).flatMap(({ ref, name }) => {
            const ours = state.securityGroups.find((candidate) => candidate.name === name);
            return ours === undefined ? [] : [[ref, ours] as const];
        }),
    );
}

/** A rule in one line, without what it says of itself. */
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

/** Security groups of our own; those that a Service names are nobody's to change. */
function compareGuards(recorded: RecordedCloud, state: NlbState, matched: Guards, report: Report): void {
    for (const wanted of recorded.securityGroups ?? []) {
        const ours = matched.get(wanted.ref);
        if (ours === undefined) {
            report(`guard ${wanted.name}`, "present", undefined);
            continue;
        }
        const attributes = {
            Description: ours.description,
            SecurityGroupName: ours.name,
            SecurityGroupType: ours.type,
            VpcId: ours.vpcId,
        };
        compareAttributes(`guard ${wanted.name}`, "guard", wanted.sent, attributes, false, report);
        compareTags(wanted.name, wanted.tags, ours.tags, report);
        const [theirs, mine] = [new Set(wanted.rules.map(ruleText)), new Set(rulesOf(ours))];
        for (const rule of new Set([...theirs, ...mine])) {
            report(
                `guard ${wanted.name} rule ${rule}`,
                theirs.has(rule) ? "present" : undefined,
                mine.has(rule) ? "present" : undefined,
            );
        }
    }
    const known = new Set(matched.values());
    for (const ours of state.securityGroups.filter(
        (candidate) => candidate.name.startsWith("k8s-nlb-") && !known.has(candidate),
    )) {
        report(`guard ${ours.name}`, undefined, "present");
    }
}
