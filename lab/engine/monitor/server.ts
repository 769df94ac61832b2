import { Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { channelOptions } from "../plugin";

/** Ports that servers of this process have had. gRPC keeps what it knows of an address, so that a client of a new server on an old port may receive the failure of the old one. */
const usedPorts = new Set<number>();

/** A gRPC server on a free port of this machine. */
export class LocalServer {
    private readonly server = new Server(channelOptions);
    address = "";

    add(definition: object, implementation: UntypedServiceImplementation): this {
        this.server.addService(definition as ServiceDefinition, implementation);
        return this;
    }

    async listen(): Promise<this> {
        let port = await this.bind();
        while (usedPorts.has(port)) {
            port = await this.bind();
        }
        usedPorts.add(port);
        this.address = `127.0.0.1:${port}`;
        return this;
    }

    private bind(): Promise<number> {
        return new Promise((done, failed) => {
            this.server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (e, p) =>
                e ? failed(e) : done(p),
            );
        });
    }

    close(): void {
        this.server.forceShutdown();
    }
}
