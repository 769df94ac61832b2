import { CallbacksClient } from "@pulumi/pulumi/proto/callback_grpc_pb";
import { CallbackInvokeRequest } from "@pulumi/pulumi/proto/callback_pb";
import { call, codeOf, connect } from "../plugin";

/** A function in the program that the engine may call. */
export interface CallbackRef {
    target: string;
    token: string;
}

/** Calls functions in the program; connections are kept. */
export class Callbacks {
    private readonly clients = new Map<string, CallbacksClient>();

    /** @throws Error with the status text of the failed call, in the Go form */
    async invoke(ref: CallbackRef, request: Uint8Array): Promise<Uint8Array> {
        let client = this.clients.get(ref.target);
        if (!client) this.clients.set(ref.target, (client = connect(CallbacksClient, ref.target)));
        const q = new CallbackInvokeRequest();
        q.setToken(ref.token);
        q.setRequest(request);
        try {
            return (await call(client, client.invoke, q)).getResponse_asU8();
        } catch (e) {
            const names: Record<number, string> = { 1: "Canceled", 2: "Unknown", 13: "Internal", 14: "Unavailable" };
            const details = (e as { details?: string }).details ?? (e as Error).message;
            throw new Error(`rpc error: code = ${names[codeOf(e) ?? 2] ?? "Unknown"} desc = ${details}`, { cause: e });
        }
    }
    close(): void {
        for (const c of this.clients.values()) c.close();
    }
}

/** A hook as the program has registered it. */
export interface Hook {
    callback: CallbackRef;
    onDryRun: boolean;
}
