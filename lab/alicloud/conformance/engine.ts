import type { sendUnaryData, ServerUnaryCall } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type LocalServer, serve } from "../../local-server";

export interface LogLine {
    readonly severity: string;
    readonly message: string;
}

const severities = ["debug", "info", "warning", "error"];

/** Part of the engine that a plugin talks to. It collects log messages above the debug level. */
export class LogEngine {
    private server: LocalServer | undefined;
    private lines: LogLine[] = [];
    address = "";

    async start(): Promise<void> {
        const log = (call: ServerUnaryCall<LogRequest, Empty>, callback: sendUnaryData<Empty>): void => {
            const severity = severities[call.request.getSeverity()] ?? "";
            if (severity !== "debug") this.lines.push({ severity, message: call.request.getMessage() });
            callback(null, new Empty());
        };
        this.server = await serve([EngineService, { log }]);
        this.address = `127.0.0.1:${this.server.port}`;
    }

    stop(): void {
        this.server?.close();
    }

    /** The messages since the last time. */
    take(): LogLine[] {
        const lines = this.lines;
        this.lines = [];
        return lines;
    }
}
