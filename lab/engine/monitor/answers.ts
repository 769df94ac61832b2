import { status } from "@grpc/grpc-js";
import { CheckFailure } from "@pulumi/pulumi/proto/provider_pb";
import * as pb from "@pulumi/pulumi/proto/resource_pb";
import type { RegisterResult } from "../deploy";
import type { Provider } from "../plugin";
import { encodeStruct } from "../value";

/** An error with a status of its own; others are reported as unknown. */
export class RpcError extends Error {
    constructor(
        readonly code: status,
        message: string,
    ) {
        super(message);
    }
}

/** Result of a registration that was left out because something it needs has failed; the generated enum does not name it. */
const SKIP = 2 as pb.Result;

/** The answer to a registration. @throws RpcError if it did not succeed and the program cannot receive the result */
export function registerAnswer(q: pb.RegisterResourceRequest, r: RegisterResult): pb.RegisterResourceResponse {
    const a = new pb.RegisterResourceResponse();
    a.setUrn(r.state.urn);
    a.setId(r.state.id);
    a.setObject(
        encodeStruct(q.getCustom() ? r.state.outputs : {}, {
            keepSecrets: q.getAcceptsecrets(),
            keepResources: q.getAcceptresources(),
        }),
    );
    if (r.result === "failed") a.setResult(pb.Result.FAIL);
    if (r.result === "skipped") a.setResult(SKIP);
    if (r.result !== "success" && !q.getSupportsresultreporting())
        throw new RpcError(status.INTERNAL, "resource registration failed");
    return a;
}

/** The answer to a read. */
export function readAnswer(q: pb.ReadResourceRequest, r: RegisterResult): pb.ReadResourceResponse {
    const a = new pb.ReadResourceResponse();
    a.setUrn(r.state.urn);
    a.setProperties(
        encodeStruct(r.state.outputs, { keepSecrets: q.getAcceptsecrets(), keepResources: q.getAcceptresources() }),
    );
    if (r.result === "failed") a.setResult(pb.Result.FAIL);
    if (r.result === "skipped") a.setResult(SKIP);
    return a;
}

/** The answer to a function call. */
export function invokeAnswer(
    q: pb.ResourceInvokeRequest,
    r: Awaited<ReturnType<Provider["invoke"]>>,
): pb.ResourceInvokeResponse {
    const a = new pb.ResourceInvokeResponse();
    a.setReturn(encodeStruct(r.result, { keepSecrets: true, keepResources: q.getAcceptresources() }));
    a.setFailuresList(
        r.failures.map((f) => {
            const m = new CheckFailure();
            m.setProperty(f.property);
            m.setReason(f.reason);
            return m;
        }),
    );
    return a;
}
