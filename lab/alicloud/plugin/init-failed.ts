import { Metadata, status, type ServiceError } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { InitError } from "./resources";
import { toStruct } from "./structs";

/** The gRPC error by which the engine keeps a half-made object: its properties travel in the error's details. */
export function initFailed(error: InitError): Partial<ServiceError> {
    const detail = new ErrorResourceInitFailed()
        .setId(error.id)
        .setProperties(toStruct(error.properties))
        .setReasonsList(error.reasons);
    const packed = new Any();
    packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const message = error.reasons[0] ?? "";
    const full = new Status().setCode(status.UNKNOWN).setMessage(message);
    full.addDetails(packed);
    const metadata = new Metadata();
    metadata.add("grpc-status-details-bin", Buffer.from(full.serializeBinary()));
    return { code: status.UNKNOWN, details: message, metadata };
}
