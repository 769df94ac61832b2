/** The policy pack, as the engine starts it: it prints the port of its server. */

// First, as it refuses a Node that cannot load the others.
import "../provider/node";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { AnalyzerService } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import { analyzerOf } from "./analyzer";
import { RULES } from "./index";
import { endWithEngine } from "../provider/host/engine";
import { packageVersion } from "../provider/host/version";

/** Bytes of the largest message, a whole stack: as many as in the policy SDK. */
const MOST_BYTES = 400 * 1024 * 1024;

endWithEngine();
const server = new Server({ "grpc.max_receive_message_length": MOST_BYTES });
server.addService(AnalyzerService, analyzerOf(RULES, { name: "ack-loadbalancer", version: packageVersion() }));
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error !== null) throw error;
    process.stdout.write(`${port}\n`);
});
