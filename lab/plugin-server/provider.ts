import {
    type handleUnaryCall,
    Metadata,
    type ServiceError,
    status,
    type UntypedHandleCall,
    type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { EngineLog } from "./engine-log";

/** @param peer address of the connection, which differs for each provider of a run */
export type Method = (request: never, peer: string) => Promise<object>;

/** A resource provider, as the engine calls it. */
export interface Provider {
    /** By name, such as `checkConfig`. Others are answered as not implemented. */
    readonly methods: Readonly<Record<string, Method>>;
    /** Sees each error of a method before the engine does. */
    readonly onError?: (method: string, request: never, error: unknown) => Promise<void>;
}

/** Error of a method that the provider does not have. */
class Unimplemented extends Error {}

export const unimplemented = (message: string): Promise<never> => Promise.reject(new Unimplemented(message));

/** Error for an object that exists although the operation did not end well. Its properties are kept. */
export class InitError extends Error {
    constructor(
        readonly id: string,
        readonly properties: Struct,
        readonly reason: string,
    ) {
        super(reason);
    }
}

/** Returns the methods of the gRPC service. */
export function methodsOf(provider: Provider, log: EngineLog): UntypedServiceImplementation {
    const attach = async (request: PluginAttach): Promise<object> => {
        log.use(request.getAddress());
        return new Empty();
    };
    const methods: Provider["methods"] = { attach, ...provider.methods };
    return Object.fromEntries(
        Object.keys(ResourceProviderService).map((name) => {
            const method = methods[name] ?? (() => unimplemented(`method ${methodName(name)} not implemented`));
            const serve: handleUnaryCall<never, object> = (call, callback) => {
                void method(call.request, call.getPeer()).then(
                    (answer) => callback(null, answer),
                    async (error: unknown) => {
                        await provider.onError?.(name, call.request, error);
                        callback(serviceError(error));
                    },
                );
            };
            return [name, serve as UntypedHandleCall];
        }),
    );
}

/** Returns a method as it is named in messages. */
export const methodName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** A half-made object travels in the details of the error, so that the engine keeps it. */
function serviceError(error: unknown): Partial<ServiceError> {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof Unimplemented) return { code: status.UNIMPLEMENTED, details: message };
    if (!(error instanceof InitError)) return { code: status.UNKNOWN, details: message };
    const detail = new ErrorResourceInitFailed()
        .setId(error.id)
        .setProperties(error.properties)
        .setReasonsList([error.reason]);
    const packed = new Any();
    packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const full = new Status().setCode(status.UNKNOWN).setMessage(message);
    full.addDetails(packed);
    const metadata = new Metadata();
    metadata.add("grpc-status-details-bin", Buffer.from(full.serializeBinary()));
    return { code: status.UNKNOWN, details: message, metadata };
}
