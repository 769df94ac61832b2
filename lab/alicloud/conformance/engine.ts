import {
    Server,
    ServerCredentials,
    type sendUnaryData,
    type ServerUnaryCall,
    type UntypedHandleCall,
} from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

export interface LogLine {
    readonly severity: string;
    readonly message: string;
}

const severities = ["debug", "info", "warning", "error"];

/** Part of the engine that a plugin talks to. It collects log messages above the debug level. */
export class LogEngine {
    private readonly server = new Server();
    private lines: LogLine[] = [];
    address = "";

    async start(): Promise<void> {
        const log = (call: ServerUnaryCall<LogRequest, Empty>, callback: sendUnaryData<Empty>): void => {
            const severity = severities[call.request.getSeverity()] ?? "";
            if (severity !== "debug") this.lines.push({ severity, message: call.request.getMessage() });
            callback(null, new Empty());
        };
        this.server.addService({ log: EngineService.log }, { log: log as UntypedHandleCall });
        const port = await new Promise<number>((resolve, reject) =>
            this.server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
                error === null ? resolve(bound) : reject(error),
            ),
        );
        this.address = `127.0.0.1:${port}`;
    }

    stop(): void {
        this.server.forceShutdown();
    }

    /** The messages since the last time. */
    take(): LogLine[] {
        const lines = this.lines;
        this.lines = [];
        return lines;
    }
}
