/**
 * Everything that can be wrong with what a user wrote, as data: which rule, where, why, and what to do about it.
 * Nothing in `provider/` throws on bad input while it reads; it collects issues, so that all of them can be shown at once.
 */

/** An `error` stops the load balancer from being planned; a `warning` is advice and stops nothing. */
export type Severity = "error" | "warning";

/** A place in a text file. Lines and columns count from 1; `file` is absent for text that came without a name. */
export interface Position {
    readonly file?: string;
    readonly line: number;
    readonly col: number;
}

/** The rule that an issue belongs to. The set is closed, so that a reader can look every one of them up. */
export type IssueCode =
    /** The text is not well-formed YAML. */
    | "manifest-syntax"
    /** A YAML document is well-formed but is not a Kubernetes object. */
    | "manifest-document"
    /** What was said about the cluster cannot be right. */
    | "cluster-facts"
    /** The Service is not of type LoadBalancer, so no load balancer belongs to it. */
    | "service-type"
    /** `spec.loadBalancerClass` hands the Service to somebody else, or to a product that is not realised yet. */
    | "service-class"
    /** Another controller looks after the Service. */
    | "service-controller"
    /** A field of the Service is missing, has the wrong type, or has no effect behind a load balancer. */
    | "service-field"
    /** An entry of `spec.ports` is not valid. */
    | "service-port"
    /** The key looks like ours but names no annotation. */
    | "annotation-unknown"
    /** The key has the legacy `alicloud-` prefix. */
    | "annotation-legacy"
    /** The value is not a string. */
    | "annotation-type"
    /** The value is empty and therefore counts as not set. */
    | "annotation-empty"
    /** The value still is a placeholder, for example `${VSWITCH_ID}`. */
    | "annotation-placeholder"
    /** The value is not among the allowed ones. */
    | "annotation-value"
    /** The annotation is understood, but this version of the package cannot make it so yet. */
    | "annotation-not-realised"
    /** The Cloud Controller Manager version of the cluster does not know the annotation yet. */
    | "annotation-version"
    /** Another annotation has to be set together with this one. */
    | "annotation-companion"
    /** The annotation cannot be combined with another one, or with the cluster. */
    | "annotation-exclusion"
    /** The annotation applies to listeners or backends that this Service does not have. */
    | "annotation-scope"
    /** The value names a port that the Service does not have, or not with that protocol. */
    | "annotation-port"
    /** The value is allowed, but does something that its author may not expect. */
    | "annotation-effect"
    /** Two Services use one listener of an instance that they share. */
    | "listener-collision"
    /** A typed setting and an annotation say different things. */
    | "setting-conflict"
    /** A component was given no Service, or more than one. */
    | "component-arguments";

/** One thing that is wrong, or worth knowing, about one object. */
export interface Issue {
    readonly code: IssueCode;
    readonly severity: Severity;
    /** The object in question, for example `Service default/web`. */
    readonly subject: string;
    /** The field in question, for example `metadata.annotations["…"]`, `spec.ports[0].targetPort` or `settings.bandwidth`. Empty for the whole object. */
    readonly path: string;
    /** Where the field stands in the file; absent for objects that did not come from text. */
    readonly at?: Position;
    /** What is wrong and why. */
    readonly message: string;
    /** What to do about it. */
    readonly remedy: string;
    /** The document and section which the rule follows. */
    readonly source?: string;
}

/** True for issues that stop the work. */
export const isError = (issue: Issue): boolean => issue.severity === "error";

/** `svc.yaml:7:5`, `7:5` for a nameless text. */
export function formatPosition(at: Position): string {
    return at.file === undefined ? `${at.line}:${at.col}` : `${at.file}:${at.line}:${at.col}`;
}

/**
 * An issue as text, in the shape compilers use so that editors and terminals link it:
 *
 *     svc.yaml:7:5: error[annotation-value]: Service default/web: metadata.annotations["…"]: …
 *         remedy: …
 *         source: …
 */
export function formatIssue(issue: Issue): string {
    const place = issue.at === undefined ? "" : `${formatPosition(issue.at)}: `;
    const where = [issue.subject, issue.path]
        .filter((part) => part !== "")
        .map((part) => `${part}: `)
        .join("");
    const lines = [`${place}${issue.severity}[${issue.code}]: ${where}${issue.message}`, `    remedy: ${issue.remedy}`];
    if (issue.source !== undefined) lines.push(`    source: ${issue.source}`);
    return lines.join("\n");
}

/** All issues as text, one below the other, in the order given. */
export function formatIssues(list: readonly Issue[]): string {
    return list.map(formatIssue).join("\n");
}

/** Thrown at the edge, once, with everything that was collected. Its message is {@link formatIssues}. */
export class ManifestError extends Error {
    readonly issues: readonly Issue[];

    constructor(issues: readonly Issue[]) {
        super(formatIssues(issues));
        this.name = "ManifestError";
        this.issues = issues;
    }
}
