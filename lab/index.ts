/**
 * The lab provides everything outside the project on this machine, for programs that run unmodified and offline. Its
 * parts share no code and are combined here.
 */
export {
    compactEtcd,
    endpointSlices,
    killApiServer,
    kubectl,
    scaleDeployment,
    setNodeReady,
    setSchedulable,
    startApiServer,
    applyYaml,
    waitFor,
    waitForDeployment,
    waitForEndpoints,
} from "./cluster";
export { LAB_CLUSTER } from "./ack-profile";
export { SECRETS_PROVIDER } from "./environment";
export { type Lab, type LabOptions, type LabPlace, openLab, shellLines, startLab, stopLab } from "./lab";
export { LabPool, type PooledLab } from "./pool";
export { installHelm } from "./pulumi/install";
export { REPOSITORY } from "./repository";
export type { CallRecord as Call } from "./cloud";
export {
    countByAction,
    perAction,
    type Result,
    type RunOptions,
    type SessionOptions,
    type Running,
    Session,
} from "./session";
