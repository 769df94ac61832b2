/** Carries plans out: batches, make-before-break, recovery from a stale record. Effects go through the interfaces declared here. */
export {
    type ApplyTarget,
    type GroupApi,
    type KnownMembers,
    type ServerIds,
    applyMembership,
    foreignMembers,
    ownMembers,
    toBackends,
} from "./backends";
