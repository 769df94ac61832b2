import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY } from "../../lab/repository";

const NAME = "ack-loadbalancer";

/** Packages that a program and the plugin need in addition. */
const PEERS = ["@pulumi/alicloud", "@pulumi/kubernetes", "@pulumi/policy", "@pulumi/pulumi"];

type Versions = Readonly<Record<string, string>>;

interface Locked {
    readonly version: string;
    readonly link?: boolean;
    readonly dependencies?: Versions;
    readonly optionalDependencies?: Versions;
    readonly peerDependencies?: Versions;
}

interface Lock {
    readonly packages: Readonly<Record<string, Locked>>;
}

const readLock = (): Lock => JSON.parse(fs.readFileSync(path.join(REPOSITORY, "package-lock.json"), "utf8")) as Lock;

/**
 * Creates a project in a folder and installs the tarball into it with npm, as a user does, in the locked versions.
 *
 * Dependencies are linked from this repository's files first: no network is used, and little is written.
 *
 * @param folder outside of this repository, so that nothing is found in a folder above it
 * @param tools further packages. Default: none
 */
export function installPackage(folder: string, tarball: string, tools: readonly string[] = []): void {
    const lock = readLock();
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
    const entry = locked(tarball);
    write(folder, "package.json", project);
    write(folder, "package-lock.json", {
        ...lock,
        name: project.name,
        packages: { "": project, ...Object.fromEntries(packages), [`node_modules/${NAME}`]: entry },
    });
    linkPackages(folder, [...Object.keys(entry.dependencies), ...PEERS, ...tools]);
    execFileSync("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
        cwd: folder,
        stdio: ["ignore", "ignore", "inherit"],
    });
}

/** The lock file's entry of the tarball. */
function locked(tarball: string) {
    const manifest = execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" });
    const { version, bin, engines, dependencies, peerDependencies } = JSON.parse(manifest) as {
        readonly dependencies: Versions;
        readonly [key: string]: unknown;
    };
    const integrity = `sha512-${createHash("sha512").update(fs.readFileSync(tarball)).digest("base64")}`;
    return { version, resolved: `file:${tarball}`, integrity, bin, engines, dependencies, peerDependencies };
}

/** Links packages, and those that they need, into a folder that npm then completes or clears. */
export function linkPackages(folder: string, names: readonly string[]): void {
    const packages = Object.entries(readLock().packages);
    const needed = new Set(names);
    // It grows, and is walked to its end.
    for (const name of needed)
        for (const [key, { dependencies, optionalDependencies, peerDependencies }] of packages)
            if (key.endsWith(`node_modules/${name}`))
                for (const other of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
                    needed.add(other);
    const [from, to] = [path.join(REPOSITORY, "node_modules"), path.join(folder, "node_modules")];
    for (const name of needed)
        if (fs.existsSync(path.join(from, name))) linkTree(path.join(from, name), path.join(to, name));
    const [commands, linked] = [path.join(from, ".bin"), path.join(to, ".bin")];
    fs.mkdirSync(linked, { recursive: true });
    for (const command of fs.readdirSync(commands)) {
        const target = fs.readlinkSync(path.join(commands, command));
        if (fs.existsSync(path.join(linked, target))) fs.symlinkSync(target, path.join(linked, command));
    }
}

/**
 * Copies a tree with hard links for files, or copies them if the folders are on two file systems. It leaves out
 * packages of this repository, which are symbolic links, and includes commands.
 */
function linkTree(from: string, to: string): void {
    fs.mkdirSync(to, { recursive: true });
    for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
        const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
        if (entry.isDirectory()) {
            linkTree(source, target);
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
