/**
 * Archive of the plugin, as `pulumi plugin install` takes it: the package with all that it loads, for every system that
 * has Node.
 */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { installPackage } from "./install";

const PLUGIN = "pulumi-resource-ack-loadbalancer";

const LAUNCHER = `#!/usr/bin/env node
require("./node_modules/ack-loadbalancer/components/plugin/${PLUGIN}");
`;

/** Files that no process loads. Pulumi unpacks no symbolic links, as commands are. */
const UNUSED = [".bin", "*.d.ts", "*.map"].map((pattern) => `--exclude=${pattern}`);

/** Systems, as Pulumi names them, that start a script by its first line. */
const SYSTEMS = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64"];

/**
 * Writes the archive under the name of each system, which has the same content.
 *
 * @param tarball npm package
 * @param out folder of the archives
 * @returns their paths
 */
export function writeArchives(tarball: string, out: string): string[] {
    const stage = fs.mkdtempSync(path.join(os.tmpdir(), "ack-plugin-"));
    try {
        installPackage(stage, tarball);
        for (const file of ["package.json", "package-lock.json"]) fs.rmSync(path.join(stage, file));
        fs.writeFileSync(path.join(stage, PLUGIN), LAUNCHER, { mode: 0o755 });
        const manifest = path.join(stage, "node_modules/ack-loadbalancer/package.json");
        const { version } = JSON.parse(fs.readFileSync(manifest, "utf8")) as { readonly version: string };
        fs.mkdirSync(out, { recursive: true });
        const archives = SYSTEMS.map((system) => path.join(out, `${PLUGIN}-v${version}-${system}.tar.gz`));
        const [first = "", ...others] = archives;
        execFileSync("tar", ["-czf", first, ...UNUSED, "-C", stage, PLUGIN, "node_modules"]);
        for (const other of others) fs.copyFileSync(first, other);
        return archives;
    } finally {
        fs.rmSync(stage, { recursive: true, force: true });
    }
}
