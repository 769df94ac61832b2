import { Unreachable } from "./api";
import { NoSuchKind } from "./cluster";
import type { ObjectType } from "./objects";

export function creationFailed(urn: string, type: ObjectType, error: unknown): Error {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof Unreachable) return new Error(`configured Kubernetes cluster is unreachable: ${reason}`);
    if (error instanceof NoSuchKind) {
        return new Error(
            `creation of resource "${urn}" with kind ${type.apiVersion}/${type.kind} ` +
                "failed because the Kubernetes API server " +
                "reported that the apiVersion for this resource does not exist. " +
                `Verify that any required CRDs have been created: ${reason}`,
        );
    }
    return new Error(`resource "${urn}" was not successfully created by the Kubernetes API server: ${reason}`);
}
