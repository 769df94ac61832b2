import { expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as path from "node:path";
import { onTestFinished } from "../../../test/support/finished";
import { REPOSITORY } from "../../../test/support/repository";
import { type Clock, systemClock } from "../../net";
import { openLog } from "../log";
import { readSyncOptions } from "../../../cli/sync/main";
import { startReplica } from "./process";

/** A clock of which a second is a millisecond. */
const hasty: Clock = {
    now: () => systemClock.now() * 1000,
    sleep: (ms, signal) => systemClock.sleep(ms / 1000, signal),
    random: () => 0.5,
};

const NOBODY_LISTENS = `apiVersion: v1
kind: Config
current-context: a
clusters: [{ name: a, cluster: { server: "http://127.0.0.1:1" } }]
users: [{ name: a, user: { token: t } }]
contexts: [{ name: a, context: { cluster: a, user: a } }]
`;

test("a pass over a cluster that does not answer ends with an error", async () => {
    const command = readSyncOptions(["--once", "--kubeconfig", NOBODY_LISTENS]);
    if (command.kind !== "run") throw new Error(command.kind);
    const replica = await startReplica(command.options, await openLog("error"), hasty);
    await expect(replica.done).rejects.toThrow(
        /^the cluster could not be read within 60 s; nothing was written\. Remedy: /,
    );
});

test("a dry run tells on standard error what it waits for", async () => {
    const command = path.join(REPOSITORY, "dist/cli/main.js");
    const dry = spawn(process.execPath, [command, "sync", "--dry-run", "--kubeconfig", NOBODY_LISTENS]);
    onTestFinished(() => void dry.kill());
    const [told] = (await once(dry.stderr, "data")) as [Buffer];
    expect(told.toString()).toMatch(/^{"level":"warn",.*"list or watch failed; trying again"/);
});
