/** Finds Chromium, and installs Debian's package where there is none. */
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";

/** The program to use, in place of those on PATH. */
export const VARIABLE = "CHROMIUM";

/**
 * Names of Chromium on PATH: Debian's packages `chromium` and `chromium-headless-shell`, and those of other systems.
 */
const NAMES = ["chromium", "chromium-headless-shell", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Debian packages of the browser, and of letters for it to draw with. */
const PACKAGES = ["chromium", "fonts-dejavu-core"];

/** Parts of the machine that the search uses. */
export interface Machine {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly isFile: (file: string) => boolean;
    /** True if this user may install packages. */
    readonly root: boolean;
    /** Runs a program and returns true if it succeeded. */
    readonly run: (program: string, args: readonly string[]) => boolean;
}

/** This machine. */
export const thisMachine = (): Machine => ({
    env: process.env,
    isFile: (file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true,
    root: process.getuid?.() === 0,
    run: (program, args) =>
        spawnSync(program, args, {
            stdio: ["ignore", "ignore", "inherit"],
            env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
        }).status === 0,
});

/**
 * Returns the path of the browser's program.
 *
 * @throws Error with a way to get a browser.
 */
export function findBrowser(machine: Machine = thisMachine()): string {
    const named = machine.env[VARIABLE];
    if (named !== undefined && named !== "") {
        if (machine.isFile(named)) return named;
        throw new Error(
            `${VARIABLE}=${named} is no file.\n  remedy: name the program of Chromium, or unset ${VARIABLE}`,
        );
    }
    const found = onPath(NAMES, machine);
    if (found !== undefined) return found;
    throw new Error(
        `Chromium is missing: none of ${NAMES.join(", ")} is on PATH, and the tests of the report's page run in ` +
            `it.\n  remedy: apt-get install ${PACKAGES.join(" ")} as root, or name another Chromium in ${VARIABLE}`,
    );
}

/**
 * Returns the path of the browser's program, after the installation of Debian's package where there is none.
 *
 * @throws Error where nothing can be installed: no root, no apt-get, no package.
 */
export function installBrowser(report: (line: string) => void, machine: Machine = thisMachine()): string {
    try {
        return findBrowser(machine);
    } catch (error) {
        const apt = onPath(["apt-get"], machine);
        if (!machine.root || apt === undefined || machine.env[VARIABLE]) throw error;
        report(`installing ${PACKAGES.join(" and ")} with apt-get`);
        const install = ["install", "--yes", "--no-install-recommends", ...PACKAGES];
        // A new machine has no package lists, or old lists that name versions which are gone.
        if (!machine.run(apt, install) && !(machine.run(apt, ["update"]) && machine.run(apt, install))) throw error;
        return findBrowser(machine);
    }
}

const onPath = (names: readonly string[], { env, isFile }: Machine): string | undefined =>
    names
        .flatMap((name) => (env["PATH"] ?? "").split(path.delimiter).map((folder) => path.join(folder, name)))
        .find(isFile);
