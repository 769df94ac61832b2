import type { Case, CaseStep, RecordedCloud, RecordedListener, RecordedLoadBalancer } from "./case";
import type { CloudListener, CloudLoadBalancer, CloudState } from "./cloud";
import { compareNetwork } from "./nlb/compare";
import type { NlbLoadBalancer } from "./nlb/state";
import { compareAttributes, compareBackends, compareTags, type Report } from "./parts";
import type { StepResult } from "./run-case";

/** Something that is not as recorded. */
export interface Difference {
    /** Number of the step, from 1. */
    readonly step: number;
    /** Kind of object first: `instance` (`nlb` for a network load balancer), `listener`, `group`, `backend`, `tag`, `domain`, `guard`, `status`, `outcome`. */
    readonly where: string;
    /** As recorded; empty if there is nothing. */
    readonly expected: string;
    /** As it turned out; empty if there is nothing. */
    readonly actual: string;
    /** Why it is meant to be so. */
    readonly reason?: string;
}

/**
 * Compares what a step has made of the cloud and of the Service's status with what was recorded.
 *
 * @param given instances that were there before the case began; a public address cannot be asked for, so theirs are other ones here.
 */
export function compareStep(
    step: CaseStep,
    number: number,
    result: StepResult,
    given: Case["cloudBefore"]["loadBalancers"] = [],
): Difference[] {
    const differences: Difference[] = [];
    const report: Report = (where, expected, actual) => {
        const [a, b] = [textOf(expected), textOf(actual)];
        if (a !== b) {
            differences.push({ step: number, where, expected: a, actual: b });
        }
    };
    if ((step.expect.error === null) !== result.outcome.ok) {
        report("outcome", step.expect.error ?? "done", result.outcome.ok ? "done" : result.outcome.errors.join("\n"));
    }
    const recorded = step.expect.cloud.loadBalancers;
    const ids = matchLoadBalancers(
        recorded.filter(({ product }) => product === "clb"),
        result.after.loadBalancers,
    );
    compareInstances(step.expect.cloud, result.after, ids, report);
    compareGroups(step.expect.cloud, result.after, ids, report);
    compareListeners(step.expect.cloud, result.after, ids, report);
    compareDomains(step.expect.cloud, result.after, ids, report);
    const networkIds = matchLoadBalancers(
        recorded.filter(({ product }) => product === "nlb"),
        result.after.network.loadBalancers,
    );
    compareNetwork(step.expect.cloud, result.after.network, networkIds, report);
    const addresses = new Map(
        given.map(({ ref, attributes }) => [
            String(attributes["Address"] ?? ""),
            result.before.loadBalancers.find(({ id }) => id === ref)?.address ?? "",
        ]),
    );
    const names = given.flatMap(({ ref, attributes }): [string, string][] => {
        const ours = result.before.network.loadBalancers.find(({ id }) => id === ref);
        return ours === undefined ? [] : [[String(attributes["DNSName"] ?? ""), ours.dnsName]];
    });
    compareStatus(step, result, { ids, networkIds, addresses: new Map([...addresses, ...names]) }, report);
    return differences;
}

function textOf(value: unknown): string {
    return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
}

const OWNER_TAG = "kubernetes.do.not.delete";

/** Which of our instances is which of the recorded ones: by id if it was there before, else by its owner, else by its name, else by elimination. */
function matchLoadBalancers<LoadBalancer extends Pick<CloudLoadBalancer, "id" | "name" | "tags">>(
    recorded: readonly RecordedLoadBalancer[],
    loadBalancers: readonly LoadBalancer[],
): Map<string, LoadBalancer> {
    const left = new Set(loadBalancers);
    const matched = new Map<string, LoadBalancer>();
    const ways: ((wanted: RecordedLoadBalancer, ours: LoadBalancer) => boolean)[] = [
        (wanted, ours) => wanted.ref === ours.id,
        (wanted, ours) => wanted.tags[OWNER_TAG] !== undefined && wanted.tags[OWNER_TAG] === ours.tags[OWNER_TAG],
        (wanted, ours) => wanted.sent["LoadBalancerName"] === ours.name,
        (wanted) => wanted.preExisting !== true,
    ];
    for (const same of ways) {
        for (const wanted of recorded.filter(({ ref }) => !matched.has(ref))) {
            const ours = [...left].find((candidate) => same(wanted, candidate));
            if (ours !== undefined) {
                matched.set(wanted.ref, ours);
                left.delete(ours);
            }
        }
    }
    return matched;
}

/** Attributes of an instance by the names of the requests that set them. */
function instanceAttributes(ours: CloudLoadBalancer): Record<string, string> {
    return {
        Address: ours.address,
        AddressIPVersion: ours.addressIpVersion,
        AddressType: ours.addressType,
        Bandwidth: String(ours.bandwidth),
        DeleteProtection: ours.deleteProtection,
        InstanceChargeType: ours.instanceChargeType,
        InternetChargeType: ours.internetChargeType,
        LoadBalancerName: ours.name,
        LoadBalancerSpec: ours.spec,
        MasterZoneId: ours.masterZoneId,
        ModificationProtectionReason: ours.modificationProtectionReason,
        ModificationProtectionStatus: ours.modificationProtectionStatus,
        ResourceGroupId: ours.resourceGroupId,
        SlaveZoneId: ours.slaveZoneId,
        VSwitchId: ours.vSwitchId,
        VpcId: ours.vpcId,
    };
}

function compareInstances(
    recorded: RecordedCloud,
    state: CloudState,
    matched: ReadonlyMap<string, CloudLoadBalancer>,
    report: Report,
): void {
    for (const wanted of recorded.loadBalancers.filter(({ product }) => product === "clb")) {
        const ours = matched.get(wanted.ref);
        if (ours === undefined) {
            report(`instance ${wanted.ref}`, "present", undefined);
            continue;
        }
        const attributes = instanceAttributes(ours);
        compareAttributes(
            `instance ${wanted.ref}`,
            "instance",
            wanted.sent,
            attributes,
            wanted.preExisting === true,
            report,
        );
        compareTags(wanted.ref, wanted.tags, ours.tags, report);
    }
    const known = new Set(matched.values());
    for (const ours of state.loadBalancers.filter((candidate) => !known.has(candidate))) {
        report(`instance ${ours.name}`, undefined, "present");
    }
}

function groupNames(state: CloudState): Map<string, string> {
    return new Map(state.vServerGroups.map(({ id, name }) => [id, name]));
}

function compareGroups(
    recorded: RecordedCloud,
    state: CloudState,
    matched: ReadonlyMap<string, CloudLoadBalancer>,
    report: Report,
): void {
    const left = new Set(state.vServerGroups);
    for (const wanted of recorded.serverGroups) {
        const lb = matched.get(wanted.lb ?? "");
        if (lb === undefined) {
            // The instance is missing and was said to be; so is everything in it.
            continue;
        }
        const ours = [...left].find(
            (candidate) =>
                candidate.loadBalancerId === lb.id && (candidate.id === wanted.ref || candidate.name === wanted.name),
        );
        if (ours === undefined) {
            report(`group ${wanted.name}`, "present", undefined);
            continue;
        }
        left.delete(ours);
        report(`group ${wanted.name} name`, wanted.name, ours.name);
        compareBackends(wanted, ours.backends, report);
    }
    const instances = new Set([...matched.values()].map(({ id }) => id));
    for (const ours of left) {
        if (instances.has(ours.loadBalancerId)) {
            report(`group ${ours.name}`, undefined, "present");
        }
    }
}

function listenerAttributes(ours: CloudListener): Record<string, string> {
    const attributes = Object.fromEntries(
        Object.entries(ours.attributes).map(([name, value]) => [name, String(value)]),
    );
    return { ...attributes, ...(ours.aclIds.length === 0 ? {} : { AclId: [...ours.aclIds].sort().join(",") }) };
}

function compareListeners(
    recorded: RecordedCloud,
    state: CloudState,
    matched: ReadonlyMap<string, CloudLoadBalancer>,
    report: Report,
): void {
    const left = new Set(state.listeners);
    const names = groupNames(state);
    const recordedNames = new Map(recorded.serverGroups.map(({ ref, name }) => [ref, name]));
    for (const wanted of recorded.listeners) {
        const lb = matched.get(wanted.lb);
        if (lb === undefined) {
            continue;
        }
        const where = `listener ${wanted.protocol}:${wanted.port}`;
        const ours = [...left].find(
            (candidate) =>
                candidate.loadBalancerId === lb.id &&
                candidate.port === wanted.port &&
                candidate.protocol === wanted.protocol,
        );
        if (ours === undefined) {
            report(where, "present", undefined);
            continue;
        }
        left.delete(ours);
        report(`${where} status`, wanted.status, ours.status);
        report(
            `${where} group`,
            recordedNames.get(wanted.serverGroup) ?? wanted.serverGroup,
            names.get(String(ours.attributes["VServerGroupId"] ?? "")),
        );
        compareAttributes(
            where,
            wanted.protocol,
            sortedAcls(wanted),
            listenerAttributes(ours),
            wanted.preExisting === true,
            report,
        );
    }
    const instances = new Set([...matched.values()].map(({ id }) => id));
    for (const ours of left) {
        if (instances.has(ours.loadBalancerId)) {
            report(`listener ${ours.protocol}:${ours.port}`, undefined, "present");
        }
    }
}

function sortedAcls({ sent }: RecordedListener): Readonly<Record<string, string>> {
    const acls = sent["AclId"];
    return acls === undefined ? sent : { ...sent, AclId: acls.split(",").sort().join(",") };
}

function compareDomains(
    recorded: RecordedCloud,
    state: CloudState,
    matched: ReadonlyMap<string, CloudLoadBalancer>,
    report: Report,
): void {
    const key = (lb: string, port: number, domain: string) => `${lb} ${port} ${domain}`;
    const theirs = new Map(
        (recorded.domainExtensions ?? []).map((one) => [
            key(matched.get(one.lb)?.id ?? one.lb, one.port, one.domain),
            one.certificateId,
        ]),
    );
    const ours = new Map(
        state.domainExtensions.map((one) => [key(one.loadBalancerId, one.listenerPort, one.domain), one.certificateId]),
    );
    for (const name of new Set([...theirs.keys(), ...ours.keys()])) {
        report(`domain ${name.split(" ").slice(1).join(" ")}`, theirs.get(name), ours.get(name));
    }
}

/** What recorded names and addresses are here. */
interface Known {
    readonly ids: ReadonlyMap<string, CloudLoadBalancer>;
    readonly networkIds: ReadonlyMap<string, NlbLoadBalancer>;
    readonly addresses: ReadonlyMap<string, string>;
}

function compareStatus(
    step: CaseStep,
    result: StepResult,
    { ids: matched, networkIds, addresses }: Known,
    report: Report,
): void {
    const expected = step.expect.status;
    if (expected === undefined || step.op === "delete") {
        // The Service goes, and its status with it.
        return;
    }
    const resolved = expected.map((entry) =>
        Object.fromEntries(
            Object.entries(entry).map(([name, value]) => [
                name,
                addresses.get(value) ??
                    value
                        .replace(/^\$\{(lb#\d+)\.address\}$/, (text, ref: string) => matched.get(ref)?.address ?? text)
                        .replace(
                            /^\$\{(lb#\d+)\.dnsName\}$/,
                            (text, ref: string) => networkIds.get(ref)?.dnsName ?? text,
                        ),
            ]),
        ),
    );
    report("status", resolved, result.statuses.get(result.subject) ?? []);
}
