import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { withLock } from "../../lab/build/lock";
import { REPOSITORY } from "../../lab/repository";
import { RELEASE, released } from "../support/released";

/** Inputs of `npm pack`: the sources without their tests, how they are compiled, and the pages. */
export const TARBALL_INPUTS = [
    "CHANGELOG.md",
    "LICENSE",
    "NOTICE",
    "Pulumi.yaml",
    "README.md",
    "cli",
    "components",
    "docs",
    "examples",
    "package-lock.json",
    "package.json",
    "policies",
    "provider",
    "tsconfig.json",
];

/** Scripts of the examples that need the lab, which is not packed. */
const NEEDS_LAB = /\/(?:stage|demo|ccm)\.ts$/;

/** Tarballs of earlier runs by their inputs: packing compiles, which takes longer than all checks of the result. */
const CACHE = path.join(REPOSITORY, "node_modules/.cache/tarball");

/**
 * Packs the package as in a fresh clone, with its `prepack` and `prepare`, and does not change `dist` of this
 * repository. Checks of a release take its tarball.
 *
 * @returns path of the tarball
 */
export async function packTarball(): Promise<string> {
    if (RELEASE !== undefined) return released(/^ack-loadbalancer-\d.*\.tgz$/);
    const inputs = TARBALL_INPUTS.filter((name) => fs.existsSync(path.join(REPOSITORY, name)));
    const tarball = path.join(CACHE, `${digest(inputs)}.tgz`);
    // Several files of tests want it at the same time.
    await withLock(
        `${tarball}.lock`,
        () => undefined,
        async () => {
            if (!fs.existsSync(tarball)) pack(inputs, tarball);
        },
    );
    return tarball;
}

function pack(inputs: readonly string[], tarball: string): void {
    const stage = fs.mkdtempSync(path.join(os.tmpdir(), "ack-pack-"));
    try {
        const filter = (file: string) =>
            file.includes("/examples/") ? !NEEDS_LAB.test(file) : !file.endsWith(".test.ts");
        for (const name of inputs)
            fs.cpSync(path.join(REPOSITORY, name), path.join(stage, name), { recursive: true, filter });
        fs.symlinkSync(path.join(REPOSITORY, "node_modules"), path.join(stage, "node_modules"));
        execFileSync("npm", ["pack", "--loglevel=error"], { cwd: stage, stdio: ["ignore", "ignore", "inherit"] });
        const packed = fs.readdirSync(stage).find((name) => name.endsWith(".tgz"));
        if (packed === undefined) throw new Error(`npm pack left no tarball in ${stage}`);
        // Whoever packs goes on with the command of the same folder.
        execFileSync(path.join(stage, "dist/cli/main.js"), ["--version"], { stdio: "ignore" });
        // Under its own name only when it is whole.
        fs.copyFileSync(path.join(stage, packed), `${tarball}.${process.pid}`);
        fs.renameSync(`${tarball}.${process.pid}`, tarball);
        for (const other of fs.readdirSync(CACHE).filter((name) => name.endsWith(".tgz"))) {
            if (other !== path.basename(tarball)) fs.rmSync(path.join(CACHE, other), { force: true });
        }
    } finally {
        fs.rmSync(stage, { recursive: true, force: true });
    }
}

function digest(inputs: readonly string[]): string {
    const hash = createHash("sha256");
    for (const file of inputs.flatMap(filesOf)) {
        hash.update(`${file}\0`)
            .update(fs.readFileSync(path.join(REPOSITORY, file)))
            .update("\0");
    }
    return hash.digest("hex").slice(0, 32);
}

/** Returns the files below a file or folder, as sorted paths from the repository's root. */
function filesOf(name: string): string[] {
    const full = path.join(REPOSITORY, name);
    if (!fs.statSync(full).isDirectory()) return [name];
    return fs
        .readdirSync(full, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(REPOSITORY, path.join(entry.parentPath, entry.name)))
        .sort();
}
