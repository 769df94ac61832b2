/** Findings that do not come from what is observed, and which of all findings are worth another try. */
import { sameOwner } from "../model/names";
import type { BindingSpec } from "./binding/spec";
import type { BindingFinding, Reason } from "./binding/status";

/** Reasons that may end without a change of the cluster or of the binding, which alone would be noticed. */
const TRANSIENT: ReadonlySet<Reason> = new Set(["PodsWithoutInterface", "CallRefused", "CloudUnavailable", "Failed"]);

/** Whether a reconciliation is to be tried again before something changes. */
export const needsRetry = ({ reason }: BindingFinding): boolean => TRANSIENT.has(reason);

/** The group has its desired backends. */
export const synced = ({ serverGroup }: BindingSpec, notes: readonly string[]): BindingFinding => ({
    synced: true,
    reason: "Synced",
    cause: [`server group ${serverGroup.id} has the desired backends`, ...notes].join("; "),
});

/** The spec cannot be read. */
export const invalid = (problem: string): BindingFinding => ({
    synced: false,
    reason: "InvalidSpec",
    cause: `${problem}; the backends stay`,
    remedy: "correct the spec, or run pulumi up, which writes it anew",
});

/** The cloud has no such group. */
export const groupMissing = ({ serverGroup, region }: BindingSpec): BindingFinding => ({
    synced: false,
    reason: "ServerGroupMissing",
    cause: `there is no server group ${serverGroup.id} in ${region}`,
    remedy: "run pulumi up --refresh, which makes it again",
});

/** The server group is another Service's, or made by hand. */
export const notOwned = ({ serverGroup, ownershipMark }: BindingSpec, name: string): BindingFinding => ({
    synced: false,
    reason: "NotOwned",
    cause: `server group ${serverGroup.id} has the name ${JSON.stringify(name)}, which is not of the Service of mark ${JSON.stringify(ownershipMark)}; its backends stay`,
    remedy: "run pulumi up, which writes the binding anew; backends join a group of another name by the annotation vgroup-port, and the controller fills it once it is started with --user-managed-group",
});

/** Pods have no network interface. Nothing was removed for them. */
export const withoutInterface = (ips: readonly string[]): BindingFinding => ({
    synced: false,
    reason: "PodsWithoutInterface",
    cause: `Not sync pods whose eni is invalid: ${ips.join(", ")}; no backend was removed`,
    remedy: "none needed if they have just started: the controller tries again; else run the pods with Terway, or name the VPC's ranges (vpcCidrs) to skip pods outside them",
});

/** An older binding manages backends of the same Service in the same group; undefined if there is none. */
export function conflictWith(
    spec: BindingSpec,
    older: readonly BindingSpec[],
): { readonly finding: BindingFinding } | undefined {
    if (!older.some(({ ownershipMark }) => sameOwner(ownershipMark, spec.ownershipMark))) return undefined;
    return {
        finding: {
            synced: false,
            reason: "Conflict",
            cause: `an older binding manages the backends of this Service in server group ${spec.serverGroup.id}`,
            remedy: "delete one of the two bindings",
        },
    };
}
