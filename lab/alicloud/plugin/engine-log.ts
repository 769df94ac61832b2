import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

/** Sends messages to the engine that started the plugin. */
export class EngineLog {
    private client: EngineClient;

    constructor(address: string) {
        this.client = new EngineClient(address, credentials.createInsecure());
    }

    /** Sends the following messages to an engine that has attached. */
    use(address: string): void {
        this.client.close();
        // What gRPC remembers of the address is of another engine.
        this.client = new EngineClient(address, credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 });
    }

    warn(urn: string, message: string): Promise<void> {
        return this.send(LogSeverity.WARNING, urn, message);
    }

    error(urn: string, message: string): Promise<void> {
        return this.send(LogSeverity.ERROR, urn, message);
    }

    close(): void {
        this.client.close();
    }

    /** A message that cannot be delivered is dropped: it must not fail the operation. */
    private send(severity: 2 | 3, urn: string, message: string): Promise<void> {
        const request = new LogRequest();
        request.setSeverity(severity);
        request.setMessage(message);
        request.setUrn(urn);
        return new Promise((resolve) => this.client.log(request, () => resolve()));
    }
}
