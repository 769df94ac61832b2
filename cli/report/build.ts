import type { ClusterReader } from "../../provider/cluster";
import type { RemovedService } from "../../policies/rule";
import { TEXTS } from "../../policies/subjects";
import { byText } from "../../provider/schema/defined";
import { SERVICE_TYPE } from "../../provider/schema/resource-types";
import { backendNames } from "../inspect/groups";
import { noticesOf, verdictOf } from "./effects";
import { type Bundle, gather } from "./gather";
import { billingOf, lossOf, renamesOf } from "./losses";
import { type Finding, type GroupReport, type Report, REPORT_VERSION, type SubjectReport, VERDICTS } from "./model";
import { selectorOf } from "./pending";
import { joinSteps, type Step } from "./step";
import { groupsOf, listenersOf, loadBalancerOf, othersOf, userManagedOf, withoutRepetition } from "./traffic";

interface ReportRequest {
    readonly steps: readonly Step[];
    /** Number of resources that do not change, listed or not. Default: those that are listed. */
    readonly unchanged?: number | undefined;
    /** True if the preview failed. Default: false. */
    readonly failed?: boolean;
    /** Findings of rules and of the run by subject. The empty text means the whole preview. Default: none. */
    readonly findings?: ReadonlyMap<string, readonly Finding[]>;
}

/** Steps of resources as they are. A preview with a refresh lists all resources. */
const UNCHANGED = /^(?:same|refresh)$/;

/** Builds the report on a preview. Without a Service of this package it has no subjects. */
export function buildReport({ steps, unchanged = 0, failed = false, findings = new Map() }: ReportRequest): Report {
    const reports = reportsOn(steps, findings, failed);
    const subjects = reports
        .map(({ report }) => report)
        .sort((a, b) => VERDICTS.indexOf(b.verdict) - VERDICTS.indexOf(a.verdict) || byText(a.subject, b.subject));
    const [head = "", project = ""] = steps[0]?.urn.split("::") ?? [];
    const known = new Set(subjects.map(({ subject }) => subject));
    return {
        version: REPORT_VERSION,
        project,
        stack: head.replace(/^urn:pulumi:/, ""),
        verdict: subjects[0]?.verdict ?? "nothing",
        complete: unchanged <= new Set(steps.filter(({ op }) => UNCHANGED.test(op)).map(({ urn }) => urn)).size,
        failed,
        losses: reports.flatMap(({ loss }) => loss ?? []),
        subjects,
        findings: [...findings].flatMap(([subject, own]) => (known.has(subject) ? [] : own)),
    };
}

/** Returns the report on each Service, and the address that it releases, in the order of the preview. */
function reportsOn(steps: readonly Step[], findings: NonNullable<ReportRequest["findings"]>, failed: boolean) {
    const bundles = gather(joinSteps(steps));
    const renames = renamesOf(bundles);
    return bundles.map((bundle) => {
        const report = reportOn(bundle, findings.get(bundle.subject) ?? [], failed);
        return { bundle, report, loss: lossOf(bundle, report.loadBalancer, renames) };
    });
}

function reportOn(bundle: Bundle, findings: readonly Finding[], failed: boolean): SubjectReport {
    const groups = groupsOf(bundle);
    const loadBalancer = loadBalancerOf(bundle);
    const parts = { loadBalancer, groups, listeners: listenersOf(bundle, groups), others: othersOf(bundle) };
    const { component } = bundle;
    const objects = [...parts.listeners, ...groups, ...groups.flatMap(({ backends }) => backends)];
    const elsewhere = [loadBalancer, ...objects].some((object) => object !== null && object.change !== "same");
    return {
        subject: bundle.subject,
        verdict: verdictOf(bundle, parts),
        refused: failed && findings.some(({ severity }) => severity === "error"),
        protected: (component.after ?? component.before)?.protect === true,
        ...parts,
        others: withoutRepetition(parts.others, elsewhere),
        notices: noticesOf(bundle, parts),
        userManaged: userManagedOf(bundle),
        findings: findings.filter(({ message }) => !groups.some((group) => isSaid(group, message))),
        billing: billingOf(bundle, loadBalancer),
    };
}

/** True for a warning of what the group itself tells: its backends are known during the update. */
const isSaid = ({ key, pending }: GroupReport, message: string): boolean =>
    pending !== null && message.includes(`server group ${key} has no backend`);

/** Returns the Services that leave the stack and release a public address, in the order of the preview. */
export function removedServices(steps: readonly Step[]): RemovedService[] {
    return reportsOn(steps, new Map(), false).flatMap(({ bundle: { name, component }, report, loss }) => {
        const { type, before } = component;
        if (type !== SERVICE_TYPE || before === undefined || loss === undefined || report.verdict !== "deletes")
            return [];
        const { address, cause, remedy } = loss;
        const labels = TEXTS.safeParse(before.inputs["labels"]).data ?? {};
        return [{ name, labels, protect: before.protect, address, cause, remedy }];
    });
}

/** Returns a report whose backends have the names that the cluster has for them. @throws ClusterError */
export async function nameBackends(
    report: Report,
    steps: readonly Step[],
    cluster: Pick<ClusterReader, "listNodes" | "listPods">,
): Promise<Report> {
    const keys = report.subjects.flatMap(({ groups }) => groups.flatMap(({ backends }) => backends));
    const selectors = keys.some(({ key }) => !key.startsWith("i-"))
        ? joinSteps(steps).flatMap((one) => selectorOf([{ ...one, after: one.after ?? one.before }]) ?? [])
        : [];
    const [nodes, ...pods] = await Promise.all([
        cluster.listNodes(),
        ...selectors.map(({ namespace, labels }) => cluster.listPods(namespace, TEXTS.catch({}).parse(labels))),
    ]);
    const nameOf = backendNames({ nodes, pods: pods.flat() });
    const subjects = report.subjects.map((subject) => ({
        ...subject,
        groups: subject.groups.map((group) => ({
            ...group,
            backends: group.backends.map((backend) => ({ ...backend, name: nameOf(backend.key) ?? null })),
        })),
    }));
    return { ...report, subjects };
}
