/** What the controller needs of the world outside: the cluster's writes, and its log. */
import type { GroupApi } from "../deploy/backends";
import type { GroupType } from "../deploy/handlers/group";
import type { ObjectMeta, PodObject } from "../kubernetes/types";
import type { BindingObject } from "./binding/object";
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

/** Opens the API of the server groups of one kind in a region. */
export type OpenGroups = (region: string, type: GroupType) => GroupApi;
