import { Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from "@grpc/grpc-js";

/** Messages may be as large as they like: properties of large resources travel in them. */
export const CHANNEL_OPTIONS = {
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
} as const;

/** A service and the methods that serve it. */
export type Service = readonly [definition: object, methods: UntypedServiceImplementation];

/** A gRPC server on a free port of 127.0.0.1. */
export interface LocalServer {
    readonly port: number;
    close(): void;
}

/** Serves services on a free port. */
export async function serve(...services: readonly Service[]): Promise<LocalServer> {
    const server = new Server(CHANNEL_OPTIONS);
    for (const [definition, methods] of services) server.addService(definition as ServiceDefinition, methods);
    const port = await new Promise<number>((resolve, reject) => {
        server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
            error === null ? resolve(bound) : reject(error),
        );
    });
    return { port, close: () => server.forceShutdown() };
}
