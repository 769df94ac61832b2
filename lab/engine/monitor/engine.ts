import { type sendUnaryData, type ServerUnaryCall, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import * as pb from "@pulumi/pulumi/proto/engine_pb";

/** Receives messages of the program and of plugins. Debug messages are not passed on. */
export type LogSink = (
    severity: "info" | "warning" | "error",
    urn: string,
    message: string,
    ephemeral: boolean,
    stream: number,
) => void;

const SEVERITIES: Record<number, "info" | "warning" | "error"> = {
    [pb.LogSeverity.INFO]: "info",
    [pb.LogSeverity.WARNING]: "warning",
    [pb.LogSeverity.ERROR]: "error",
};

/** The engine's own small service: messages, and the URN of the root resource. */
export function engineService(log: LogSink): UntypedServiceImplementation {
    let root = "";
    return {
        log: (call: ServerUnaryCall<pb.LogRequest, Empty>, done: sendUnaryData<Empty>) => {
            const q = call.request;
            const severity = SEVERITIES[q.getSeverity()];
            if (severity) log(severity, q.getUrn(), q.getMessage(), q.getEphemeral(), q.getStreamid());
            done(null, new Empty());
        },
        getRootResource: (_call: unknown, done: sendUnaryData<pb.GetRootResourceResponse>) => {
            const a = new pb.GetRootResourceResponse();
            a.setUrn(root);
            done(null, a);
        },
        setRootResource: (
            call: ServerUnaryCall<pb.SetRootResourceRequest, pb.SetRootResourceResponse>,
            done: sendUnaryData<pb.SetRootResourceResponse>,
        ) => {
            root = call.request.getUrn();
            done(null, new pb.SetRootResourceResponse());
        },
        startDebugging: (_call: unknown, done: sendUnaryData<Empty>) => done(null, new Empty()),
        requirePulumiVersion: (_call: unknown, done: sendUnaryData<pb.RequirePulumiVersionResponse>) =>
            done(null, new pb.RequirePulumiVersionResponse()),
    };
}
