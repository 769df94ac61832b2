/** `ack-loadbalancer sync`. */
import { ClusterError } from "../../provider/cluster";
import { firstLine } from "../../provider/net";
import { UsageError, type Output } from "../command/output";
import { openLog } from "../../provider/sync/log";
import { readSyncOptions, SYNC_USAGE } from "./options";
import { SYNC_EXIT, startReplica } from "../../provider/sync/live/process";

/** Runs the command line after `sync`. Returns the exit code. */
export async function runSync(argv: readonly string[], output: Output): Promise<number> {
    try {
        const command = readSyncOptions(argv);
        if (command.kind === "help") {
            output.out(SYNC_USAGE);
            return SYNC_EXIT.ok;
        }
        if (command.kind === "manifests") {
            const { installManifests } = await import("../../provider/sync/install.js");
            output.out(installManifests(command.install));
            return SYNC_EXIT.ok;
        }
        const { options } = command;
        // What a dry run prints is its result, not its log.
        const log = await openLog(options.dryRun ? "error" : options.logLevel);
        const replica = await startReplica(options, log);
        for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => replica.stop());
        return await replica.done;
    } catch (error) {
        if (error instanceof UsageError) output.error(`error: ${error.message}\n\n${SYNC_USAGE}`);
        else if (error instanceof ClusterError) output.error(`${error.message}\n`);
        else output.error(`error: ${firstLine(error)}\n`);
        return SYNC_EXIT.usage;
    }
}
