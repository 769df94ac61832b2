/** Carries plans out: batches, make-before-break, recovery from a stale record. Effects go through the interfaces declared here. */
export { type ApplyTarget, type GroupApi, applyMembership } from "./backends";
export { type RecordedMembers, type ServerIds, ownMembers, toBackends, userManagedMembers } from "../observe/members";
