import { Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { channelOptions } from "../plugin";

/** A gRPC server on a free port of this machine. */
export class LocalServer {
    private readonly server = new Server(channelOptions);
    address = "";

    add(definition: object, implementation: UntypedServiceImplementation): this {
        this.server.addService(definition as ServiceDefinition, implementation);
        return this;
    }

    async listen(): Promise<this> {
        const port = await new Promise<number>((done, failed) => {
            this.server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (e, p) => (e ? failed(e) : done(p)));
        });
        this.address = `127.0.0.1:${port}`;
        return this;
    }

    close(): void {
        this.server.forceShutdown();
    }
}
