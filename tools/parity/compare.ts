import type { Case, CaseStep, RecordedCloud, RecordedListener, RecordedLoadBalancer } from "./case";
import type { CloudListener, CloudLoadBalancer, CloudState } from "./cloud";
import { compareNlb } from "./nlb/compare";
import type { NlbLoadBalancer } from "./nlb/state";
import {
    compareAttributes,
    compareBackends,
    compareListener,
    comparePairs,
    compareTags,
    matchEach,
    type Report,
} from "./compare-parts";
import type { StepResult } from "./run-case";

/** Something that is not as recorded. */
export interface Difference {
    /** Number of the step, from 1. */
    readonly step: number;
    /**
     * Path that begins with the kind of object: `instance` (`nlb` for an NLB), `listener`, `group`, `backend`, `tag`,
     * `domain`, `guard`, `status` or `outcome`.
     */
    readonly where: string;
    /** Recorded value, empty if there is nothing. */
    readonly expected: string;
    /** Actual value, empty if there is nothing. */
    readonly actual: string;
    /** The reason of a known difference. */
    readonly reason?: string;
}

/**
 * Compares the cloud and the Service's status after a step with the recording.
 *
 * @param given instances that existed before the case, whose public addresses cannot be requested, and differ here.
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
    if ((step.expect.error === null) !== result.outcome.ok)
        report("outcome", step.expect.error ?? "done", result.outcome.ok ? "done" : result.outcome.errors.join("\n"));
    const recorded = step.expect.cloud.loadBalancers;
    const ids = matchLoadBalancers(
        recorded.filter(({ product }) => product === "clb"),
        result.after.loadBalancers,
    );
    compareInstances(step.expect.cloud, result.after, ids, report);
    compareGroups(step.expect.cloud, result.after, ids, report);
    compareListeners(step.expect.cloud, result.after, ids, report);
    compareDomains(step.expect.cloud, result.after, ids, report);
    const nlbIds = matchLoadBalancers(
        recorded.filter(({ product }) => product === "nlb"),
        result.after.network.loadBalancers,
    );
    compareNlb(step.expect.cloud, result.after.network, nlbIds, report);
    const addresses = new Map(
        given.map(({ ref, attributes }) => [
            String(attributes["Address"] ?? ""),
            result.before.loadBalancers.find(({ id }) => id === ref)?.address ?? "",
        ]),
    );
    const names = given.flatMap(({ ref, attributes }): [string, string][] => {
        const actual = result.before.network.loadBalancers.find(({ id }) => id === ref);
        return actual === undefined ? [] : [[String(attributes["DNSName"] ?? ""), actual.dnsName]];
    });
    compareStatus(step, result, { ids, nlbIds, addresses: new Map([...addresses, ...names]) }, report);
    return differences;
}

function textOf(value: unknown): string {
    return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
}

const OWNER_TAG = "kubernetes.do.not.delete";

/**
 * Matches observed instances with recorded instances: by id if it existed before, else by owner, by name, or by
 * elimination.
 */
function matchLoadBalancers<LoadBalancer extends Pick<CloudLoadBalancer, "id" | "name" | "tags">>(
    recorded: readonly RecordedLoadBalancer[],
    loadBalancers: readonly LoadBalancer[],
): Map<string, LoadBalancer> {
    const left = new Set(loadBalancers);
    const matched = new Map<string, LoadBalancer>();
    const ways: ((expected: RecordedLoadBalancer, actual: LoadBalancer) => boolean)[] = [
        (expected, actual) => expected.ref === actual.id,
        (expected, actual) =>
            expected.tags[OWNER_TAG] !== undefined && expected.tags[OWNER_TAG] === actual.tags[OWNER_TAG],
        (expected, actual) => expected.sent["LoadBalancerName"] === actual.name,
        (expected) => expected.preExisting !== true,
    ];
    for (const same of ways) {
        for (const expected of recorded.filter(({ ref }) => !matched.has(ref))) {
            const actual = [...left].find((candidate) => same(expected, candidate));
            if (actual !== undefined) {
                matched.set(expected.ref, actual);
                left.delete(actual);
            }
        }
    }
    return matched;
}

/** Attributes of an instance by the names of the requests that set them. */
function instanceAttributes(actual: CloudLoadBalancer): Record<string, string> {
    return {
        Address: actual.address,
        AddressIPVersion: actual.addressIpVersion,
        AddressType: actual.addressType,
        Bandwidth: String(actual.bandwidth),
        DeleteProtection: actual.deleteProtection,
        InstanceChargeType: actual.instanceChargeType,
        InternetChargeType: actual.internetChargeType,
        LoadBalancerName: actual.name,
        LoadBalancerSpec: actual.spec,
        MasterZoneId: actual.masterZoneId,
        ModificationProtectionReason: actual.modificationProtectionReason,
        ModificationProtectionStatus: actual.modificationProtectionStatus,
        ResourceGroupId: actual.resourceGroupId,
        SlaveZoneId: actual.slaveZoneId,
        VSwitchId: actual.vSwitchId,
        VpcId: actual.vpcId,
    };
}

type Matched = ReadonlyMap<string, CloudLoadBalancer>;

function compareInstances(recorded: RecordedCloud, state: CloudState, matched: Matched, report: Report): void {
    const known = new Set(matched.values());
    comparePairs(
        recorded.loadBalancers
            .filter(({ product }) => product === "clb")
            .map((expected) => [expected, matched.get(expected.ref)]),
        state.loadBalancers.filter((candidate) => !known.has(candidate)).map(({ name }) => `instance ${name}`),
        ({ ref }) => `instance ${ref}`,
        ({ ref, sent, tags, preExisting = false }, actual, where) => {
            compareAttributes(where, "instance", sent, instanceAttributes(actual), preExisting, report);
            compareTags(ref, tags, actual.tags, report);
        },
        report,
    );
}

/** Objects of instances that are missing are not reported again. */
const onMatched = <Recorded extends { readonly lb?: string }>(
    list: readonly Recorded[],
    matched: Matched,
): Recorded[] => list.filter(({ lb = "" }) => matched.has(lb));

function compareGroups(recorded: RecordedCloud, state: CloudState, matched: Matched, report: Report): void {
    const instances = new Set([...matched.values()].map(({ id }) => id));
    const left = new Set(state.vServerGroups.filter(({ loadBalancerId }) => instances.has(loadBalancerId)));
    const pairs = matchEach(
        onMatched(recorded.serverGroups, matched),
        left,
        ({ lb = "", ref, name }, { loadBalancerId, ...actual }) =>
            loadBalancerId === matched.get(lb)?.id && (actual.id === ref || actual.name === name),
    );
    comparePairs(
        pairs,
        [...left].map(({ name }) => `group ${name}`),
        ({ name }) => `group ${name}`,
        (expected, actual, where) => {
            report(`${where} name`, expected.name, actual.name);
            const backends = actual.backends.map((backend) => ({ ...backend, port: backend.port ?? 0 }));
            compareBackends(expected, backends, report);
        },
        report,
    );
}

function listenerAttributes(actual: CloudListener): Record<string, string> {
    const attributes = Object.fromEntries(
        Object.entries(actual.attributes).map(([name, value]) => [name, String(value)]),
    );
    return { ...attributes, ...(actual.aclIds.length === 0 ? {} : { AclId: [...actual.aclIds].sort().join(",") }) };
}

function compareListeners(recorded: RecordedCloud, state: CloudState, matched: Matched, report: Report): void {
    const instances = new Set([...matched.values()].map(({ id }) => id));
    const left = new Set(state.listeners.filter(({ loadBalancerId }) => instances.has(loadBalancerId)));
    const names = new Map(state.vServerGroups.map(({ id, name }) => [id, name]));
    const recordedNames = new Map(recorded.serverGroups.map(({ ref, name }) => [ref, name]));
    const nameOf = ({ protocol, port }: { readonly protocol: string; readonly port: number }) =>
        `listener ${protocol}:${port}`;
    const pairs = matchEach(
        onMatched(recorded.listeners, matched),
        left,
        (expected, actual) =>
            actual.loadBalancerId === matched.get(expected.lb)?.id && nameOf(actual) === nameOf(expected),
    );
    comparePairs(
        pairs,
        [...left].map(nameOf),
        nameOf,
        (expected, actual, where) =>
            compareListener(where, expected, sortedAcls(expected), report, {
                status: actual.status,
                groups: [
                    recordedNames.get(expected.serverGroup) ?? expected.serverGroup,
                    names.get(String(actual.attributes["VServerGroupId"] ?? "")),
                ],
                attributes: listenerAttributes(actual),
            }),
        report,
    );
}

function sortedAcls({ sent }: RecordedListener): Readonly<Record<string, string>> {
    const acls = sent["AclId"];
    return acls === undefined ? sent : { ...sent, AclId: acls.split(",").sort().join(",") };
}

function compareDomains(recorded: RecordedCloud, state: CloudState, matched: Matched, report: Report): void {
    const key = (lb: string, port: number, domain: string) => `${lb} ${port} ${domain}`;
    const expectedByKey = new Map(
        (recorded.domainExtensions ?? []).map((one) => [
            key(matched.get(one.lb)?.id ?? one.lb, one.port, one.domain),
            one.certificateId,
        ]),
    );
    const actual = new Map(
        state.domainExtensions.map((one) => [key(one.loadBalancerId, one.listenerPort, one.domain), one.certificateId]),
    );
    for (const name of new Set([...expectedByKey.keys(), ...actual.keys()])) {
        report(`domain ${name.split(" ").slice(1).join(" ")}`, expectedByKey.get(name), actual.get(name));
    }
}

/** Counterparts here of recorded names and addresses. */
interface Known {
    readonly ids: ReadonlyMap<string, CloudLoadBalancer>;
    readonly nlbIds: ReadonlyMap<string, NlbLoadBalancer>;
    readonly addresses: ReadonlyMap<string, string>;
}

function compareStatus(
    step: CaseStep,
    result: StepResult,
    { ids: matched, nlbIds, addresses }: Known,
    report: Report,
): void {
    const expected = step.expect.status;
    if (expected === undefined || step.op === "delete") {
        // The Service is deleted, and its status with it.
        return;
    }
    const resolved = expected.map((entry) =>
        Object.fromEntries(
            Object.entries(entry).map(([name, value]) => [
                name,
                addresses.get(value) ??
                    value
                        .replace(/^\$\{(lb#\d+)\.address\}$/, (text, ref: string) => matched.get(ref)?.address ?? text)
                        .replace(/^\$\{(lb#\d+)\.dnsName\}$/, (text, ref: string) => nlbIds.get(ref)?.dnsName ?? text),
            ]),
        ),
    );
    report("status", resolved, result.statuses.get(result.subject) ?? []);
}
