/** Entry of `pulumi-resource-kubernetes <engine address>`: prints the port, then serves. */
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { EngineLog } from "./engine-log";
import { stopWithEngine } from "./engine-watch";
import { Service } from "./service";

/** The engine itself allows 400 MiB, since states may be large. */
const maxMessageBytes = 400 * 1024 * 1024;

function main(address: string | undefined): void {
    if (address === undefined) {
        process.stderr.write("usage: pulumi-resource-kubernetes <engine address>\n");
        process.exit(1);
    }
    const server = new Server({
        "grpc.max_receive_message_length": maxMessageBytes,
        "grpc.max_send_message_length": maxMessageBytes,
    });
    server.addService(ResourceProviderService, new Service(new EngineLog(address)).implementation());
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
        if (error !== null) throw error;
        process.stdout.write(`${port}\n`);
        stopWithEngine(address, server);
    });
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0));
}

main(process.argv.slice(2).find((argument) => !argument.startsWith("-")));
