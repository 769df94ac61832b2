import type { RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { endOf, start } from "./processes";
import { readOptions, sdkCommand, sdkEnvironment } from "./sdk";

/** Exit code with which the SDK says that it has told the user why the program failed. */
const REPORTED = 32;

/** Outcome of a program: success, a failure that the user knows of, or the named failure. */
export type Outcome = "done" | "reported" | { readonly error: string };

/**
 * Runs the program of a request in a process.
 *
 * @throws Error if the SDK is not installed where the program is
 */
export async function runProgram(request: RunRequest, engine: string): Promise<Outcome> {
    const info = request.getInfo();
    const options = readOptions(info?.getOptions()?.toJavaScript());
    const cwd = request.getPwd();
    const args = [
        ...sdkCommand(cwd, "run", options),
        ...["--monitor", request.getMonitorAddress(), "--engine", engine],
        ...["--organization", request.getOrganization(), "--project", request.getProject()],
        ...["--root-directory", info?.getRootDirectory() ?? cwd, "--stack", request.getStack(), "--pwd", cwd],
        ...(request.getDryrun() ? ["--dry-run"] : []),
        ...["--parallel", String(request.getParallel()), info?.getEntryPoint() ?? "."],
    ];
    const env = sdkEnvironment(options, {
        PULUMI_CONFIG: JSON.stringify(configOf(request)),
        PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
    });
    const ended = await endOf(start("node", args, { cwd, env, stdio: ["ignore", "inherit", "inherit"] }));
    if (ended === 0) return "done";
    if (ended === REPORTED) return "reported";
    if (typeof ended === "string") return { error: `Program exited due to a signal: ${ended}` };
    return { error: `Program exited with non-zero exit code: ${ended}` };
}

/** Values by the names that the SDK reads: `namespace:config:name`. */
function configOf(request: RunRequest): Record<string, string> {
    const entries = [...(request.getConfigMap().entries() as IterableIterator<[string, string]>)];
    return Object.fromEntries(entries.map(([key, value]) => [key.replace(":", ":config:"), value]));
}
