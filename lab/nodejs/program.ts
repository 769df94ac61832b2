import type { RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { start, type Started } from "./processes";
import { readOptions, sdkCommand, sdkEnvironment } from "./sdk";

/** Exit code with which the SDK says that it has told the user why the program failed. */
const REPORTED = 32;

/** How a program has ended: well, with a failure that the user knows of, or with this one. */
export type Outcome = "done" | "reported" | { readonly error: string };

/**
 * Starts the program of a request.
 *
 * @throws Error if the SDK is not installed where the program is
 */
export function startProgram(request: RunRequest, engine: string): { started: Started; outcome: Promise<Outcome> } {
    const info = request.getInfo();
    const options = readOptions(info?.getOptions()?.toJavaScript() ?? {});
    const pwd = request.getPwd();
    const args = [
        ...sdkCommand(pwd, "run", options),
        ...["--monitor", request.getMonitorAddress(), "--engine", engine],
        ...["--organization", request.getOrganization(), "--project", request.getProject()],
        ...["--root-directory", info?.getRootDirectory() ?? pwd, "--stack", request.getStack(), "--pwd", pwd],
        ...(request.getDryrun() ? ["--dry-run"] : []),
        ...["--parallel", String(request.getParallel())],
        info?.getEntryPoint() ?? ".",
        ...request.getArgsList(),
    ];
    const env = sdkEnvironment(process.env, options, {
        PULUMI_CONFIG: JSON.stringify(configOf(request)),
        PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
    });
    const started = start("node", args, { cwd: pwd, env, stdio: "inherit" });
    return { started, outcome: started.ended.then(outcomeOf) };
}

/** Values by the names that the SDK reads: `namespace:config:name`. */
function configOf(request: RunRequest): Record<string, string> {
    const config: Record<string, string> = {};
    for (const [key, value] of request.getConfigMap().entries() as IterableIterator<[string, string]>) {
        const colon = key.indexOf(":");
        config[`${key.slice(0, colon)}:config:${key.slice(colon + 1)}`] = value;
    }
    return config;
}

function outcomeOf({ code, signal }: { code?: number; signal?: NodeJS.Signals }): Outcome {
    if (code === 0) return "done";
    if (code === REPORTED) return "reported";
    if (code === undefined) return { error: `Program exited due to a signal: ${signal}` };
    return { error: `Program exited with non-zero exit code: ${code}` };
}
