/** Dependencies of the controller on the outside: the cluster's writes, the cloud's server groups, its log. */
import type { GroupApi } from "../backends/apply";
import type { GroupType } from "../resources/handlers/group";
import type { ClusterEvent, EventSubject } from "../cluster/event";
import type { PodObject } from "../service/objects";
import type { BindingObject } from "./binding/object";
import type { BindingSpec } from "./binding/spec";
import type { BindingStatus } from "./binding/status";
import type { Pause } from "./queue";

/** Condition of a pod for its readiness gate. */
export interface GateCondition {
    readonly type: string;
    readonly status: "True" | "False";
    readonly reason: string;
    readonly message: string;
}

/** Writes to the cluster. Objects that are gone or were created again are left alone. */
export interface ClusterWriter {
    writeStatus(binding: BindingObject, status: BindingStatus): Promise<void>;
    record(subject: EventSubject, event: ClusterEvent): Promise<void>;
    setCondition(pod: PodObject, condition: GateCondition): Promise<void>;
}

export interface Log {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
}

/** Region of a server group, and the role of its account if that is not the controller's. */
export type GroupPlace = Pick<BindingSpec, "region" | "assumeRole">;

/** Opens the API of one type of server group in a place. Waits for the cloud's jobs go through `pause`. */
export type OpenGroups = (place: GroupPlace, type: GroupType, pause: Pause) => GroupApi;
