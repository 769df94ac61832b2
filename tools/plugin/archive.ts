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
 * Writes the archive under the name of each system, which has the same content, and its SBOM.
 *
 * @param tarball npm package
 * @param out folder of the archives
 * @returns paths of the archives
 */
export function writeArchives(tarball: string, out: string): string[] {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-plugin-"));
    // The SBOM names its subject after the folder.
    const stage = path.join(folder, PLUGIN);
    try {
        fs.mkdirSync(stage);
        installPackage(stage, tarball);
        const sbom = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx"], { cwd: stage, maxBuffer: 1 << 26 });
        for (const file of ["package.json", "package-lock.json"]) fs.rmSync(path.join(stage, file));
        fs.writeFileSync(path.join(stage, PLUGIN), LAUNCHER, { mode: 0o755 });
        const manifest = path.join(stage, "node_modules/ack-loadbalancer/package.json");
        const { version } = JSON.parse(fs.readFileSync(manifest, "utf8")) as { readonly version: string };
        fs.mkdirSync(out, { recursive: true });
        fs.writeFileSync(path.join(out, `${PLUGIN}-v${version}.cdx.json`), sbom);
        const archives = SYSTEMS.map((system) => path.join(out, `${PLUGIN}-v${version}-${system}.tar.gz`));
        const [first = "", ...others] = archives;
        execFileSync("tar", ["-czf", first, ...UNUSED, "-C", stage, PLUGIN, "node_modules"]);
        for (const other of others) fs.copyFileSync(first, other);
        return archives;
    } finally {
        fs.rmSync(folder, { recursive: true, force: true });
    }
}
