import { expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as path from "node:path";
import { waitFor } from "../../../lab";
import { FakeApiServer } from "../../../test/support/fake-api-server";
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
    let told = "";
    while (!told.includes("list or watch")) told += String((await once(dry.stderr, "data")) as [Buffer]);
    expect(told).toMatch(/^{"level":"warn",.*"list or watch failed; trying again"/m);
});

test("a server without encryption is refused at the start, unless it is on this machine", async () => {
    const start = async (host: string) => {
        const command = readSyncOptions(["--once", "--kubeconfig", NOBODY_LISTENS.replace("127.0.0.1:1", host)]);
        if (command.kind !== "run") throw new Error(command.kind);
        const replica = await startReplica(command.options, await openLog("error"), hasty);
        replica.stop();
        await replica.done;
    };
    for (const host of ["10.1.2.3:8080", "proxy.example", "127.0.0.1.example", "localhost.example:1"])
        await expect(start(host)).rejects.toThrow(
            /unencrypted\n {2}cause: the kubeconfig names the API server by http:.*\n {2}remedy: name .* by https:/,
        );
    for (const host of ["localhost:1", "[::1]:1"]) await start(host);
});

test("a log that nobody reads any more stops nothing", async () => {
    const api = new FakeApiServer();
    await api.up();
    onTestFinished(() => api.down());
    api.misbehaves = () => ({ status: 503, text: "{}" });
    const command = path.join(REPOSITORY, "dist/cli/main.js");
    const replica = spawn(process.execPath, [command, "sync", "--port", "0", "--kubeconfig", api.kubeconfig]);
    onTestFinished(() => void replica.kill());
    await once(replica.stdout, "data");
    replica.stdout.destroy();
    replica.stderr.destroy();
    const before = api.asked.length;
    await waitFor("the API server is asked again and again", () =>
        Promise.resolve(api.asked.length > before + 30 ? true : undefined),
    );
    expect(replica.exitCode).toBeNull();
});
