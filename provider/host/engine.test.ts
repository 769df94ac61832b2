/** The programs that an engine starts end with it, also if it is killed. */
import { expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";

/** Starts a program below a shell, and waits until it serves. */
async function startBelow(command: string) {
    const shell = spawn("sh", ["-c", `${command} & wait`], { stdio: ["ignore", "pipe", "inherit"] });
    // The program, too, has the pipe: it closes once both have ended.
    const closed = once(shell, "close");
    const [port] = (await once(createInterface({ input: shell.stdout }), "line")) as [string];
    expect(port).toMatch(/^\d+$/);
    return { shell, closed };
}

const PACK = "node dist/policies/pack.js";
const PLUGIN = "components/plugin/pulumi-resource-ack-loadbalancer";

test.each([PACK, PLUGIN])("%s ends with the process that started it", async (command) => {
    const engine = createServer().listen(0, "127.0.0.1");
    await once(engine, "listening");
    const { shell, closed } = await startBelow(`${command} 127.0.0.1:${(engine.address() as AddressInfo).port}`);
    shell.kill("SIGKILL");
    await closed;
    engine.close();
});

test("the plugin ends once nobody listens at the engine's address", async () => {
    const engine = createServer().listen(0, "127.0.0.1");
    await once(engine, "listening");
    const { closed } = await startBelow(`${PLUGIN} 127.0.0.1:${(engine.address() as AddressInfo).port}`);
    engine.close();
    await closed;
});
