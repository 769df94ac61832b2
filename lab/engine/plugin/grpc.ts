import {
    credentials,
    Metadata,
    status,
    type CallOptions,
    type ChannelOptions,
    type Client,
    type ServiceError,
} from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { decodeStruct } from "../value";
import { InitError, ProviderError } from "./types";

/** Messages may be as large as they like: states of big resources travel in them. */
export const channelOptions: ChannelOptions = {
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
};

/** A client for a server on this machine. */
export function connect<T extends Client>(
    type: new (address: string, creds: ReturnType<typeof credentials.createInsecure>, options?: ChannelOptions) => T,
    address: string,
): T {
    return new type(address, credentials.createInsecure(), channelOptions);
}

/** The full form of a unary method of a generated client. */
export type Unary<Req, Res> = (
    request: Req,
    metadata: Metadata,
    options: Partial<CallOptions>,
    callback: (error: ServiceError | null, response: Res) => void,
) => unknown;

/** Makes a unary call. */
export function call<Req, Res>(client: Client, method: Unary<Req, Res>, request: Req): Promise<Res> {
    return new Promise((done, failed) => {
        method.call(client, request, new Metadata(), {}, (e, r) => (e ? failed(e) : done(r)));
    });
}

/** The status code of a failed call, or undefined for other errors. */
export function codeOf(e: unknown): number | undefined {
    return typeof e === "object" && e !== null && "code" in e && typeof e.code === "number" ? e.code : undefined;
}
export function isUnimplemented(e: unknown): boolean {
    return codeOf(e) === status.UNIMPLEMENTED;
}

/** Translates a failed call: init errors carry the half-made object in their details. */
export function translateError(e: unknown): Error {
    if (!(e instanceof Error)) return new Error(String(e));
    const code = codeOf(e);
    if (code === undefined) return e;
    const s = e as ServiceError;
    const details = (s.metadata as Metadata | undefined)?.get("grpc-status-details-bin")[0];
    if (Buffer.isBuffer(details)) {
        for (const any of Status.deserializeBinary(details).getDetailsList()) {
            if (!any.getTypeUrl().endsWith("pulumirpc.ErrorResourceInitFailed")) continue;
            const init = ErrorResourceInitFailed.deserializeBinary(any.getValue_asU8());
            const inputs = init.getInputs();
            return new InitError(
                init.getReasonsList(),
                init.getId(),
                decodeStruct(init.getProperties()),
                inputs && decodeStruct(inputs),
            );
        }
    }
    return new ProviderError(
        s.details,
        code,
        code === status.UNKNOWN || code === status.INTERNAL || code === status.DATA_LOSS,
    );
}
