/** Findings of reconciliations that do not come from the observed objects. */
import { CloudError, CredentialsError } from "../cloud";
import * as nlb from "../nlb";
import { ClusterError } from "../cluster";
import { diagnose } from "../cloud/diagnose";
import { firstLine } from "../net";
import { describeRejected, type Rejected } from "../backends/apply";
import type { Backend } from "../schema/backend";
import { sameOwner } from "../schema/names";
import type { BindingSpec } from "./binding/spec";
import { type BindingFinding, held, type Reason } from "./binding/status";

const REFUSALS: ReadonlySet<Reason> = new Set(["CallRefused", "CloudUnavailable", "Failed"]);

/** True if the cloud did not do what was asked, whatever the cluster is like. */
export const isRefusal = ({ reason }: BindingFinding): boolean => REFUSALS.has(reason);

/** True if a reconciliation must be retried before anything changes in the cluster or the binding. */
export const needsRetry = (finding: BindingFinding): boolean =>
    isRefusal(finding) || finding.reason === "PodsWithoutInterface";

export const synced = ({ serverGroup }: BindingSpec, notes: readonly string[]): BindingFinding => ({
    synced: true,
    reason: "Synced",
    cause: [`server group ${serverGroup.id} has the desired backends`, ...notes].join("; "),
});

export const invalid = (problem: string): BindingFinding =>
    held("InvalidSpec", `${problem}; the backends stay`, "correct the spec, or run pulumi up, which writes it again");

export const groupMissing = ({ serverGroup, region }: BindingSpec): BindingFinding =>
    held(
        "ServerGroupMissing",
        `there is no server group ${serverGroup.id} in ${region}`,
        "run pulumi up --refresh, which makes it again",
    );

/** Finding for a group that belongs to another Service or was made by hand. */
export const notOwned = ({ serverGroup, ownershipMark }: BindingSpec, name: string): BindingFinding =>
    held(
        "NotOwned",
        `server group ${serverGroup.id} has the name ${JSON.stringify(name)}, which is not of the Service of mark ` +
            `${JSON.stringify(ownershipMark)}; its backends stay`,
        "run pulumi up, which writes the binding again; backends join a group of another name by the annotation " +
            "vgroup-port, and the controller fills it once it is started with --user-managed-group",
    );

/** Finding for backends that the group did not take. */
export function ofRejected(rejected: readonly Rejected[], named: (backend: Backend) => string): BindingFinding {
    const whole = (backend: Backend): string => [named(backend), backend.eni ?? []].flat().join(" on ");
    if (rejected.some(({ reason }) => reason !== undefined))
        return held(
            "CallRefused",
            `${describeRejected(rejected, whole).join("; ")}; the others were added, no backend was removed`,
            "start the instance, or delete its node from the cluster (kubectl delete node); the controller tries again",
        );
    const ips = rejected.map(({ backend }) => backend.address).join(", ");
    return held(
        "PodsWithoutInterface",
        `Not sync pods whose eni is invalid: ${ips}; no backend was removed`,
        "none needed if they have just started: the controller tries again; else run the pods with Terway, " +
            "or name the VPC's ranges (vpcCidrs) to skip pods outside them",
    );
}

/** Finding for a binding whose Service and group have an older binding, or undefined if there is none. */
export function conflictWith(spec: BindingSpec, older: readonly BindingSpec[]): BindingFinding | undefined {
    if (!older.some(({ ownershipMark }) => sameOwner(ownershipMark, spec.ownershipMark))) return undefined;
    return held(
        "Conflict",
        `an older binding manages the backends of this Service in server group ${spec.serverGroup.id}`,
        "delete one of the two bindings",
    );
}

/** Words for known errors that are not those of a run: the controller has another role, and tries again by itself. */
const OWN_WORDS: Readonly<Record<string, Pick<BindingFinding, "remedy"> & { readonly cause?: string }>> = {
    permission: {
        cause: "the RAM role of the controller may not make this call",
        remedy: "attach the policy of docs/sync.md to the RAM role of the controller, or to the role that it assumes",
    },
    throttled: {
        remedy:
            "none needed: the controller tries again, with fewer calls a minute; " +
            "look for other clients of the account if it lasts",
    },
};

const NO_CLUSTER_ROLE = "apply the ClusterRole of this version of the controller (docs/sync.md)";

export function ofError(error: unknown): BindingFinding {
    const outage = "none needed if it was an outage: the controller tries again";
    if (error instanceof CloudError) {
        const { action, code, detail, kind } = error;
        const known = OWN_WORDS[diagnose({ code, message: detail })?.code ?? ""];
        const cause = known?.cause ?? error.cause;
        const details = detail === "" || detail === code ? "" : `: ${detail}`;
        return held(
            kind === "final" ? "CallRefused" : "CloudUnavailable",
            `${action} failed: ${code}${details}${cause === undefined ? "" : ` (${cause})`}`,
            known?.remedy ?? error.remedy ?? outage,
        );
    }
    if (error instanceof nlb.JobError)
        return held(
            "CallRefused",
            `${error.action} failed in the background (job ${error.jobId})`,
            `${outage}; else look the job up in the NLB console`,
        );
    if (error instanceof CredentialsError)
        return held("CallRefused", firstLine(error), "check the RAM role or key pair of the controller");
    if (!(error instanceof ClusterError)) return held("Failed", firstLine(error), "look at the controller's log");
    return held("Failed", firstLine(error), error.kind === "forbidden" ? NO_CLUSTER_ROLE : error.remedy);
}
