/** Files in the folder of a cluster. */
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { FILES } from "./programs";

/** Removes what a cluster has written, but not its logs. */
export async function removeScratch(dir: string): Promise<void> {
    for (const name of Object.values(FILES)) {
        if (name !== FILES.logs) await rm(join(dir, name), { recursive: true, force: true });
    }
}

/** Returns the last 8 KB of a file without a cut first line, empty if there is no file. */
export async function tailOf(file: string): Promise<string> {
    try {
        await using handle = await open(file);
        const { size } = await handle.stat();
        const from = Math.max(0, size - 8192);
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
        const text = buffer.toString("utf8", 0, bytesRead);
        return from === 0 ? text : text.slice(text.indexOf("\n") + 1);
    } catch {
        return "";
    }
}
