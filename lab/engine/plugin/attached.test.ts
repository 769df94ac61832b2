import { expect, test } from "@jest/globals";
import { onTestFinished } from "../../../test/support/finished";
import { attachPlugin, detachPlugin, usePlugin } from "./attached";
import { type RunningPlugin, startPlugin } from "./process";

/** A program that prints its own number as its port. */
const PLUGIN = ["sh", ["-c", "echo $$; exec sleep 600"]] as const;

async function start(): Promise<RunningPlugin> {
    const plugin = await startPlugin(...PLUGIN, "/", process.env, () => undefined);
    onTestFinished(() => plugin.stop());
    return plugin;
}

async function use(pkg: string, engine = ""): Promise<RunningPlugin> {
    const plugin = await usePlugin(pkg, ...PLUGIN, {
        engineAddress: engine,
        cwd: "/",
        env: process.env,
        sink: () => undefined,
    });
    onTestFinished(() => plugin.stop());
    return plugin;
}

test("a plugin that is attached serves one provider after the other, and hears of each engine", async () => {
    const plugin = await start();
    const engines: string[] = [];
    attachPlugin("one", plugin, ({ engineAddress }) => void engines.push(engineAddress));
    for (const engine of ["first", "second"]) {
        const used = await use("one", engine);
        expect(used.address).toBe(plugin.address);
        await used.stop();
    }
    expect(engines).toStrictEqual(["first", "second"]);
    expect(plugin.child.exitCode).toBeNull();
});

test("a second provider at the same time has a plugin of its own, which ends with it", async () => {
    const plugin = await start();
    attachPlugin("two", plugin, () => undefined);
    await use("two");
    const other = await use("two");
    expect(other.address).not.toBe(plugin.address);
    await other.stop();
    expect(other.child.signalCode).toBe("SIGKILL");
});

test("one that is detached, or that has died, is not used", async () => {
    const plugin = await start();
    attachPlugin("three", plugin, () => undefined);
    detachPlugin("three", plugin);
    expect((await use("three")).address).not.toBe(plugin.address);
    attachPlugin("three", plugin, () => undefined);
    await plugin.stop();
    expect((await use("three")).address).not.toBe(plugin.address);
});
