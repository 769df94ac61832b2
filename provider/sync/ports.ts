/** What the controller needs of the world outside: the cluster's writes, and its log. */
import type { GroupApi } from "../deploy/backends";
import type { GroupType } from "../deploy/handlers/group";
import type { ObjectMeta, PodObject } from "../kubernetes/types";
import type { BindingObject } from "./binding/object";
import type { BindingSpec } from "./binding/spec";
import type { Pause } from "./slots";
import type { BindingStatus } from "./binding/status";

/** An event of Kubernetes. */
export interface SyncEvent {
    readonly type: "Normal" | "Warning";
    readonly reason: string;
    readonly message: string;
}

/** A reference to the object that an event is about. */
export interface EventSubject {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: ObjectMeta;
}

/** Condition of a pod for its readiness gate. */
export interface GateCondition {
    readonly type: string;
    readonly status: "True" | "False";
    readonly reason: string;
    readonly message: string;
}

/** The cluster's writes. */
export interface ClusterWriter {
    /** Writes the status of a binding; one that is gone is left alone. */
    writeStatus(binding: BindingObject, status: BindingStatus): Promise<void>;
    record(subject: EventSubject, event: SyncEvent): Promise<void>;
    /** Sets a condition of a pod; one that is gone, or that was made anew, is left alone. */
    setCondition(pod: PodObject, condition: GateCondition): Promise<void>;
}

/** Structured log. Texts are redacted by the writer. */
export interface Log {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
}

/** Where server groups are: the region, and the role of the account if that is another one than the controller's. */
export type GroupPlace = Pick<BindingSpec, "region" | "assumeRole">;

/** Opens the API of the server groups of one kind in a place. Waits for the cloud's own work go through `pause`. */
export type OpenGroups = (place: GroupPlace, type: GroupType, pause: Pause) => GroupApi;
