import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY } from "../../lab/repository";

const NAME = "ack-loadbalancer";

/** Packages that a program and the plugin need in addition. */
const PEERS = ["@pulumi/alicloud", "@pulumi/kubernetes", "@pulumi/policy", "@pulumi/pulumi"];

interface Lock {
    readonly packages: Readonly<Record<string, { readonly version: string; readonly link?: boolean }>>;
}

/**
 * Creates a project in a folder and installs the tarball into it with npm, as a user does, in the locked versions.
 *
 * Dependencies are linked from this repository's files first, and npm removes those that the project does not need: no
 * network is used, and little is written.
 *
 * @param folder outside of this repository, so that nothing is found in a folder above it
 * @param tools further packages. Default: none
 */
export function installPackage(folder: string, tarball: string, tools: readonly string[] = []): void {
    const lock = JSON.parse(fs.readFileSync(path.join(REPOSITORY, "package-lock.json"), "utf8")) as Lock;
    const versions = (names: readonly string[]) =>
        Object.fromEntries(names.map((name) => [name, lock.packages[`node_modules/${name}`]?.version]));
    const project = {
        name: "consumer",
        version: "1.0.0",
        private: true,
        dependencies: { [NAME]: `file:${tarball}`, ...versions(PEERS) },
        devDependencies: versions(tools),
    };
    const packages = Object.entries(lock.packages).filter(
        ([key, { link }]) => key.startsWith("node_modules/") && !link,
    );
    write(folder, "package.json", project);
    write(folder, "package-lock.json", {
        ...lock,
        name: project.name,
        packages: { "": project, ...Object.fromEntries(packages), [`node_modules/${NAME}`]: locked(tarball) },
    });
    linkTree(path.join(REPOSITORY, "node_modules"), path.join(folder, "node_modules"));
    execFileSync("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
        cwd: folder,
        stdio: ["ignore", "ignore", "inherit"],
    });
}

/** The lock file's entry of the tarball. */
function locked(tarball: string): object {
    const manifest = execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" });
    const { version, bin, engines, dependencies, peerDependencies } = JSON.parse(manifest) as Record<string, unknown>;
    const integrity = `sha512-${createHash("sha512").update(fs.readFileSync(tarball)).digest("base64")}`;
    return { version, resolved: `file:${tarball}`, integrity, bin, engines, dependencies, peerDependencies };
}

/**
 * Copies a tree with hard links for files, or copies them if the folders are on two file systems. It leaves out
 * packages of this repository, which are symbolic links, and includes commands.
 */
export function linkTree(from: string, to: string): void {
    fs.mkdirSync(to, { recursive: true });
    for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
        const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
        if (entry.isDirectory()) {
            if (entry.name !== ".cache") linkTree(source, target);
        } else if (entry.isFile()) {
            linkFile(source, target);
        } else if (path.basename(from) === ".bin") {
            fs.symlinkSync(fs.readlinkSync(source), target);
        }
    }
}

function linkFile(source: string, target: string): void {
    try {
        fs.linkSync(source, target);
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
        fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE);
    }
}

function write(folder: string, name: string, content: object): void {
    fs.writeFileSync(path.join(folder, name), JSON.stringify(content, undefined, 2));
}
