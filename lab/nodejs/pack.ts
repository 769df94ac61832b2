import {
    Client,
    credentials,
    type handleUnaryCall,
    type ServiceDefinition,
    status,
    type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { AnalyzerService } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import { AnalyzerStackConfigureRequest } from "@pulumi/pulumi/proto/analyzer_pb";
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { end, endOf } from "./processes";
import { CHANNEL_OPTIONS, type LocalServer, serve } from "../local-server";

/** A policy pack that stands behind a port of this process. */
export interface Pack {
    readonly server: LocalServer;
    /** Ends the process. */
    stop(): void;
}

const asIs = (bytes: Buffer): Buffer => bytes;

/**
 * Serves a policy pack whose process starts when the engine has named its stack: the SDK reads the stack's
 * configuration from variables. Everything else is passed on unchanged.
 *
 * @param start starts the pack's process with more variables
 * @param onEnd is told the exit code when the process has ended
 */
export async function servePack(
    start: (env: Readonly<Record<string, string>>) => ChildProcess,
    onEnd: (code: number) => void,
): Promise<Pack> {
    const definition = passingOn(AnalyzerService);
    let child: ChildProcess | undefined;
    let client: Promise<Client> | undefined;
    const run = (env: Readonly<Record<string, string>>): Promise<Client> => {
        child ??= start(env);
        return (client ??= connect(child, onEnd));
    };
    const methods: UntypedServiceImplementation = {};
    for (const [name, { path }] of Object.entries(definition)) {
        const pass: handleUnaryCall<Buffer, Buffer> = (call, done) => {
            if (name === "handshake" && client === undefined) {
                // The packs of the SDK have no use for it, and there is none to ask yet.
                done({ code: status.UNIMPLEMENTED, details: "the pack is started with its stack" });
                return;
            }
            run(name === "configureStack" ? stackVariables(call.request) : {}).then(
                (pack) =>
                    pack.makeUnaryRequest(path, asIs, asIs, call.request, (error, answer) =>
                        done(error, answer ?? Buffer.alloc(0)),
                    ),
                (error: Error) => done({ code: status.UNAVAILABLE, details: error.message }),
            );
        };
        methods[name] = pass as handleUnaryCall<unknown, unknown>;
    }
    const stop = (): void => (child === undefined ? onEnd(0) : end(child));
    return { server: await serve([definition, methods]), stop };
}

/** The same methods, with messages that nobody reads on the way. */
function passingOn(definition: ServiceDefinition): ServiceDefinition {
    return Object.fromEntries(
        Object.entries(definition).map(([name, method]) => [
            name,
            {
                ...method,
                requestSerialize: asIs,
                requestDeserialize: asIs,
                responseSerialize: asIs,
                responseDeserialize: asIs,
            },
        ]),
    );
}

function stackVariables(bytes: Buffer): Record<string, string> {
    const request = AnalyzerStackConfigureRequest.deserializeBinary(bytes);
    const config = Object.fromEntries(request.getConfigMap().entries() as IterableIterator<[string, string]>);
    return {
        PULUMI_CONFIG: JSON.stringify(config),
        PULUMI_NODEJS_ORGANIZATION: request.getOrganization(),
        PULUMI_NODEJS_PROJECT: request.getProject(),
        PULUMI_NODEJS_STACK: request.getStack(),
        PULUMI_NODEJS_DRY_RUN: String(request.getDryRun()),
    };
}

/** A client of the process, once it has printed its port. */
function connect(child: ChildProcess, onEnd: (code: number) => void): Promise<Client> {
    return new Promise((resolve, reject) => {
        let isReady = false;
        createInterface({ input: child.stdout as Readable }).on("line", (line) => {
            if (isReady) process.stdout.write(`${line}\n`);
            else if (/^\d+$/.test(line)) {
                isReady = true;
                resolve(new Client(`127.0.0.1:${line}`, credentials.createInsecure(), CHANNEL_OPTIONS));
            } else reject(new Error(`the policy pack printed ${JSON.stringify(line)} where its port belongs`));
        });
        endOf(child).then(
            (code) => {
                reject(new Error(`the policy pack ended with ${code} before it served`));
                onEnd(typeof code === "number" ? code : 1);
            },
            (error: Error) => {
                reject(error);
                onEnd(1);
            },
        );
    });
}
