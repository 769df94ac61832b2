import * as fs from "node:fs";
import * as path from "node:path";
import { z } from "zod";

const PACKAGE = z.looseObject({ name: z.string().optional(), version: z.string().optional() });

export function packageVersion(): string {
    for (let folder = __dirname; ; folder = path.dirname(folder)) {
        const file = path.join(folder, "package.json");
        const { name, version } = PACKAGE.parse(fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : {});
        if (name === "ack-loadbalancer" && version !== undefined) return version;
        if (folder === path.dirname(folder))
            throw new Error("package.json of ack-loadbalancer is missing. Remedy: install the package again.");
    }
}
