import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

/** Sends messages to the engine that started the plugin. A message that cannot be delivered is dropped. */
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

    info(urn: string, message: string): Promise<void> {
        return this.send(LogSeverity.INFO, urn, message);
    }

    warn(urn: string, message: string): Promise<void> {
        return this.send(LogSeverity.WARNING, urn, message);
    }

    error(urn: string, message: string): Promise<void> {
        return this.send(LogSeverity.ERROR, urn, message);
    }

    /** Sets the status of a resource, which the display shows in its row until the next status. Empty clears it. */
    status(urn: string, message: string): Promise<void> {
        return this.send(LogSeverity.INFO, urn, message, true);
    }

    private send(severity: 1 | 2 | 3, urn: string, message: string, ephemeral = false): Promise<void> {
        const request = new LogRequest().setSeverity(severity).setMessage(message).setUrn(urn).setEphemeral(ephemeral);
        return new Promise((resolve) => this.client.log(request, () => resolve()));
    }
}
