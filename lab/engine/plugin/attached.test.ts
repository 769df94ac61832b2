import { expect, test } from "@jest/globals";
import { onTestFinished } from "../../../test/support/finished";
import { attachPlugins, detachPlugins, PluginPool, usePlugin } from "./attached";
import { type RunningPlugin, startPlugin } from "./process";

/** A program that prints its own number as its port. */
const PLUGIN = ["sh", ["-c", "echo $$; exec sleep 600"]] as const;

function attach(pkg: string, engines: string[] = []): PluginPool {
    const pool = new PluginPool(async () => {
        const plugin = await startPlugin(...PLUGIN, "/", process.env, () => undefined);
        onTestFinished(() => plugin.stop());
        return { ...plugin, prepare: ({ engineAddress }) => void engines.push(engineAddress) };
    });
    attachPlugins(pkg, pool);
    return pool;
}

async function use(pkg: string, engine = ""): Promise<RunningPlugin> {
    const surroundings = { engineAddress: engine, cwd: "/", env: process.env, sink: () => undefined };
    const plugin = await usePlugin(pkg, ...PLUGIN, surroundings);
    onTestFinished(() => plugin.stop());
    return plugin;
}

test("a plugin of a pool serves one provider after the other, and hears of each engine", async () => {
    const engines: string[] = [];
    const pool = attach("one", engines);
    await pool.fill();
    const first = await use("one", "first");
    await first.stop();
    const second = await use("one", "second");
    expect(second.address).toBe(first.address);
    expect(engines).toStrictEqual(["first", "second"]);
    expect(second.child.exitCode).toBeNull();
});

test("a second provider at the same time has another, and both are kept", async () => {
    attach("two");
    const used = [await use("two"), await use("two")];
    const addresses = new Set(used.map(({ address }) => address));
    expect(addresses.size).toBe(2);
    await Promise.all(used.map((plugin) => plugin.stop()));
    const next = [await use("two"), await use("two")];
    expect(new Set(next.map(({ address }) => address))).toStrictEqual(addresses);
});

test("one that is given back twice serves one provider all the same", async () => {
    attach("five");
    const plugin = await use("five");
    await plugin.stop();
    const second = await use("five");
    await plugin.stop();
    expect((await use("five")).address).not.toBe(second.address);
});

test("one that has died is not used", async () => {
    attach("three");
    const plugin = await use("three");
    await plugin.stop();
    process.kill(plugin.child.pid ?? 0, "SIGKILL");
    await new Promise((resolve) => plugin.child.once("close", resolve));
    expect((await use("three")).address).not.toBe(plugin.address);
});

test("without a pool, and after it has gone, a provider has a process of its own, which ends with it", async () => {
    const pool = attach("four");
    detachPlugins("four", pool);
    const plugin = await use("four");
    await plugin.stop();
    expect(plugin.child.signalCode).toBe("SIGKILL");
});
