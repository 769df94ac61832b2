import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import {
    type handleServerStreamingCall,
    type handleUnaryCall,
    status,
    type UntypedHandleCall,
    type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/language_pb";
import { PackageDependency, PluginDependency, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { servePack } from "./pack";
import { dependenciesOf, requiredPlugins } from "./packages";
import { endAll, start } from "./processes";
import { type Outcome, startProgram } from "./program";
import type { Service } from "./server";
import { readOptions, sdkCommand, sdkEnvironment } from "./sdk";

/** Scripts of the SDK that serve plugins written for it, by the kind of plugin. */
const PLUGIN_SCRIPTS: Readonly<Record<string, string>> = { analyzer: "run-policy-pack", resource: "run-plugin" };

/** Runs the program of a request. */
export type RunProgram = (request: pb.RunRequest, engine: string) => Promise<Outcome>;

/**
 * The language host for Node: what the Pulumi CLI asks of `pulumi-language-nodejs`. Calls that it does not serve answer
 * UNIMPLEMENTED.
 *
 * @param engineAddress of the CLI that has started the host; one that attaches says its own
 * @param run how programs are run; by default in a process each
 */
export function languageHost(
    engineAddress: string,
    run: RunProgram = async (request, engine) => startProgram(request, engine).outcome,
): Service {
    let engine = engineAddress;
    const unary: Record<string, (request: never) => Promise<object>> = {
        handshake: async (request: pb.LanguageHandshakeRequest) => {
            engine = request.getEngineAddress();
            return new pb.LanguageHandshakeResponse();
        },
        getPluginInfo: async () => new PluginInfo().setVersion(sdkVersion()),
        getRequiredPackages: async (request: pb.GetRequiredPackagesRequest) => {
            const { packages } = required(request.getInfo()?.getProgramDirectory());
            return new pb.GetRequiredPackagesResponse().setPackagesList(packages);
        },
        getRequiredPlugins: async (request: pb.GetRequiredPluginsRequest) => {
            const { plugins } = required(request.getInfo()?.getProgramDirectory());
            return new pb.GetRequiredPluginsResponse().setPluginsList(plugins);
        },
        getProgramDependencies: async (request: pb.GetProgramDependenciesRequest) => {
            const folder = request.getInfo()?.getProgramDirectory() ?? "";
            return new pb.GetProgramDependenciesResponse().setDependenciesList(
                dependenciesOf(folder, request.getTransitivedependencies()).map(({ name, version }) =>
                    new pb.DependencyInfo().setName(name).setVersion(version),
                ),
            );
        },
        about: async () => {
            const node = execFileSync("node", ["-p", "process.execPath"], { encoding: "utf8" }).trim();
            const version = execFileSync("node", ["--version"], { encoding: "utf8" }).trim();
            return new pb.AboutResponse().setExecutable(node).setVersion(version);
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

function required(folder = process.cwd()): { packages: PackageDependency[]; plugins: PluginDependency[] } {
    const found = requiredPlugins(folder);
    const fill = <T extends PackageDependency | PluginDependency>(one: T, at: number): T => {
        const { name = "", version = "", server = "" } = found[at] ?? {};
        one.setName(name).setKind("resource").setVersion(version).setServer(server);
        return one;
    };
    return {
        packages: found.map((_, at) => fill(new PackageDependency(), at)),
        plugins: found.map((_, at) => fill(new PluginDependency(), at)),
    };
}

function sdkVersion(): string {
    const file = require.resolve("@pulumi/pulumi/package.json");
    return (JSON.parse(fs.readFileSync(file, "utf8")) as { version: string }).version;
}

/** `pulumi install`: what npm prints is passed on as it comes. */
const install: handleServerStreamingCall<pb.InstallDependenciesRequest, pb.InstallDependenciesResponse> = (call) => {
    const folder = call.request.getInfo()?.getProgramDirectory() || call.request.getDirectory();
    const npm = spawn("npm", ["install", "--loglevel=error"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    npm.stdout.on("data", (bytes: Buffer) => call.write(new pb.InstallDependenciesResponse().setStdout(bytes)));
    npm.stderr.on("data", (bytes: Buffer) => call.write(new pb.InstallDependenciesResponse().setStderr(bytes)));
    const fail = (details: string): boolean => call.emit("error", { code: status.UNKNOWN, details });
    npm.once("error", (error) => fail(`npm could not be started: ${error.message}`));
    npm.once("close", (code) => {
        if (code === 0) call.end();
        else fail(`npm install failed with exit code ${code} in ${folder}`);
    });
    call.once("cancelled", () => npm.kill());
};

/** Runs a plugin that is written for the SDK. The engine ends it by ending the call. */
const runPlugin: handleServerStreamingCall<pb.RunPluginRequest, pb.RunPluginResponse> = (call) => {
    const { request } = call;
    const fail = (error: Error): boolean => call.emit("error", { code: status.UNKNOWN, details: error.message });
    const script = PLUGIN_SCRIPTS[request.getKind()];
    if (script === undefined) {
        fail(new Error(`a plugin of kind "${request.getKind()}" cannot be run with Node`));
        return;
    }
    const info = request.getInfo();
    const folder = info?.getProgramDirectory() || request.getPwd();
    const options = readOptions(info?.getOptions()?.toJavaScript() ?? {});
    const given = Object.fromEntries(request.getEnvList().map(splitVariable));
    const startWith = (more: Readonly<Record<string, string>>) =>
        start("node", [...sdkCommand(folder, script, options), ...request.getArgsList(), folder], {
            cwd: folder,
            env: sdkEnvironment(process.env, options, { ...given, ...more }),
            stdio: "pipe",
        });
    const onEnd = (code: number): void => {
        call.write(new pb.RunPluginResponse().setExitcode(code));
        call.end();
    };
    void servePack(startWith, onEnd).then(({ server, stop }) => {
        call.once("cancelled", stop).once("close", () => server.close());
        call.write(new pb.RunPluginResponse().setStdout(Buffer.from(`${server.port}\n`)));
    }, fail);
};

function splitVariable(text: string): [string, string] {
    const at = text.indexOf("=");
    return [text.slice(0, at), text.slice(at + 1)];
}
