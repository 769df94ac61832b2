/** Plugins end with a killed engine. */
import { expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { REPOSITORY } from "../support/repository";

for (const file of [
    "lab/alicloud/pulumi-resource-alicloud",
    "lab/kubernetes/pulumi-resource-kubernetes",
    "components/plugin/pulumi-resource-ack-loadbalancer",
]) {
    test(`${basename(file)} ends after its engine has gone`, async () => {
        const engine = createServer((socket) => socket.on("error", () => socket.destroy())).listen(0, "127.0.0.1");
        await once(engine, "listening");
        const { port } = engine.address() as AddressInfo;
        const plugin = spawn(join(REPOSITORY, file), [`127.0.0.1:${port}`], {
            stdio: ["ignore", "pipe", "inherit"],
        });
        try {
            const [line] = (await once(plugin.stdout, "data")) as [Buffer];
            expect(line.toString()).toMatch(/^\d+\n$/);
            expect(plugin.exitCode).toBe(null);
            engine.close();
            const [code] = (await once(plugin, "exit")) as [number | null];
            expect(code).toBe(0);
        } finally {
            plugin.kill("SIGKILL");
            engine.close();
        }
    });
}
