import { execFileSync } from "node:child_process";
import {
    type handleServerStreamingCall,
    type handleUnaryCall,
    type ServerWritableStream,
    status,
    type UntypedHandleCall,
    type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/language_pb";
import { PackageDependency, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { version } from "@pulumi/pulumi/version";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { servePack } from "./pack";
import { dependenciesOf, requiredPlugins } from "./packages";
import { end, endAll, endOf, start } from "./processes";
import { type Outcome, runProgram } from "./program";
import type { Service } from "../local-server";
import { readOptions, type RuntimeOptions, sdkCommand, sdkEnvironment } from "./sdk";

const UTF8 = { encoding: "utf8" } as const;

type Variables = Readonly<Record<string, string>>;

/** Runs the program of a request. */
export type RunProgram = (request: pb.RunRequest, engine: string) => Promise<Outcome>;

/**
 * Returns the language host for Node, which answers the Pulumi CLI's calls to `pulumi-language-nodejs`. Calls that it
 * does not serve answer UNIMPLEMENTED.
 *
 * @param engineAddress of the CLI that has started the host. A CLI that attaches says its own.
 * @param run way of running programs, by default in a process each
 */
export function languageHost(engineAddress: string, run: RunProgram = runProgram): Service {
    let engine = engineAddress;
    let node: string | undefined;
    const unary: Record<string, (request: never) => Promise<object>> = {
        handshake: async (request: pb.LanguageHandshakeRequest) => {
            engine = request.getEngineAddress();
            return new pb.LanguageHandshakeResponse();
        },
        getPluginInfo: async () => new PluginInfo().setVersion(version),
        getRequiredPackages: async (request: pb.GetRequiredPackagesRequest) => {
            const packages = requiredPlugins(request.getInfo()?.getProgramDirectory() ?? "").map((one) =>
                new PackageDependency().setName(one.name).setKind("resource").setVersion(one.version),
            );
            return new pb.GetRequiredPackagesResponse().setPackagesList(packages);
        },
        getProgramDependencies: async (request: pb.GetProgramDependenciesRequest) => {
            const folder = request.getInfo()?.getProgramDirectory() ?? "";
            const found = dependenciesOf(folder, request.getTransitivedependencies()).map((one) =>
                new pb.DependencyInfo().setName(one.name).setVersion(one.version),
            );
            return new pb.GetProgramDependenciesResponse().setDependenciesList(found);
        },
        about: async () => {
            // Every run asks, and a process would take more time than many a run.
            node ??= execFileSync("node", ["-p", "[process.execPath, process.version].join('\\n')"], UTF8);
            const [executable = "", nodeVersion = ""] = node.split("\n");
            return new pb.AboutResponse().setExecutable(executable).setVersion(nodeVersion);
        },
        run: async (request: pb.RunRequest) => {
            const outcome = await run(request, engine);
            const response = new pb.RunResponse();
            if (outcome === "reported") response.setBail(true);
            else if (outcome !== "done") response.setError(outcome.error);
            return response;
        },
        cancel: async () => {
            endAll();
            return new Empty();
        },
    };
    const methods: UntypedServiceImplementation = {};
    for (const name of Object.keys(LanguageRuntimeService)) methods[name] = serveUnary(name, unary[name]);
    methods["installDependencies"] = install;
    methods["runPlugin"] = runPlugin;
    return [LanguageRuntimeService, methods];
}

function serveUnary(name: string, method: ((request: never) => Promise<object>) | undefined): UntypedHandleCall {
    const serve: handleUnaryCall<never, object> = ({ request }, done) => {
        if (method === undefined) {
            done({ code: status.UNIMPLEMENTED, details: `the lab's language host does not serve ${name}` });
            return;
        }
        method(request).then(
            (answer) => done(null, answer),
            (error: Error) => done({ code: status.UNKNOWN, details: error.message }),
        );
    };
    return serve as UntypedHandleCall;
}

/** `pulumi install`: what npm prints is passed on as it comes. */
const install: handleServerStreamingCall<pb.InstallDependenciesRequest, pb.InstallDependenciesResponse> = (call) => {
    const folder = call.request.getInfo()?.getProgramDirectory() || call.request.getDirectory();
    const npm = start("npm", ["install", "--loglevel=error"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    npm.stdout?.on("data", (bytes: Buffer) => call.write(new pb.InstallDependenciesResponse().setStdout(bytes)));
    npm.stderr?.on("data", (bytes: Buffer) => call.write(new pb.InstallDependenciesResponse().setStderr(bytes)));
    endOf(npm).then(
        (code) => (code === 0 ? call.end() : fail(call, `npm install ended with ${code} in ${folder}`)),
        (error: Error) => fail(call, `npm could not be started: ${error.message}`),
    );
};

type RunPluginCall = ServerWritableStream<pb.RunPluginRequest, pb.RunPluginResponse>;

/** Runs a policy pack, or the plugin of a folder with `PulumiPlugin.yaml`. The engine ends it by ending the call. */
const runPlugin = (call: RunPluginCall): void => {
    const { request } = call;
    const info = request.getInfo();
    const folder = info?.getProgramDirectory() || request.getPwd();
    const options = readOptions(info?.getOptions()?.toJavaScript());
    const given = Object.fromEntries(request.getEnvList().map((text) => text.split(/=(.*)/s)));
    const run = request.getKind() === "analyzer" ? runPack : runFolder;
    run(call, folder, options, given).catch((error: Error) => fail(call, error.message));
};

async function runPack(call: RunPluginCall, folder: string, options: RuntimeOptions, given: Variables) {
    const startWith = (more: Variables) =>
        start("node", [...sdkCommand(folder, "run-policy-pack", options), ...call.request.getArgsList(), folder], {
            cwd: folder,
            env: sdkEnvironment(options, { ...given, ...more }),
            stdio: ["ignore", "pipe", "inherit"],
        });
    const { server, stop } = await servePack(startWith, (code) => endWith(call, code));
    call.once("cancelled", stop).once("close", () => server.close());
    call.write(new pb.RunPluginResponse().setStdout(Buffer.from(`${server.port}\n`)));
}

async function runFolder(call: RunPluginCall, folder: string, options: RuntimeOptions, given: Variables) {
    const args = [...sdkCommand(folder, "run-plugin", options), folder, ...call.request.getArgsList()];
    const plugin = start("node", args, {
        cwd: call.request.getPwd(),
        env: sdkEnvironment(options, given),
        stdio: ["ignore", "pipe", "pipe"],
    });
    plugin.stdout?.on("data", (bytes: Buffer) => call.write(new pb.RunPluginResponse().setStdout(bytes)));
    plugin.stderr?.on("data", (bytes: Buffer) => call.write(new pb.RunPluginResponse().setStderr(bytes)));
    call.once("cancelled", () => end(plugin));
    const code = await endOf(plugin);
    endWith(call, typeof code === "number" ? code : 1);
}

function endWith(call: RunPluginCall, code: number): void {
    call.write(new pb.RunPluginResponse().setExitcode(code));
    call.end();
}

function fail(call: ServerWritableStream<unknown, unknown>, details: string): void {
    call.emit("error", { code: status.UNKNOWN, details });
}
