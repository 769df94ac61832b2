/** Plugins end with a killed engine. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

for (const name of ["alicloud", "kubernetes"]) {
    test(`pulumi-resource-${name} ends after its engine has gone`, { timeout: 60_000 }, async () => {
        const engine = createServer((socket) => socket.on("error", () => socket.destroy())).listen(0, "127.0.0.1");
        await once(engine, "listening");
        const { port } = engine.address() as AddressInfo;
        const plugin = spawn(join(__dirname, "../../../lab/bin", `pulumi-resource-${name}`), [`127.0.0.1:${port}`], {
            stdio: ["ignore", "pipe", "inherit"],
        });
        try {
            const [line] = (await once(plugin.stdout, "data")) as [Buffer];
            assert.match(line.toString(), /^\d+\n$/);
            assert.equal(plugin.exitCode, null);
            engine.close();
            const [code] = (await once(plugin, "exit")) as [number | null];
            assert.equal(code, 0);
        } finally {
            plugin.kill("SIGKILL");
            engine.close();
        }
    });
}
