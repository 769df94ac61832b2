import { expect, test } from "@jest/globals";
import { findBrowser, installBrowser, type Machine } from "./find";

/** Makes a machine with files. apt-get install adds the file in `installs`. */
function machine(files: readonly string[], more: Partial<Machine> & { readonly installs?: string } = {}) {
    const present = new Set(files);
    const ran: string[] = [];
    const { installs, ...rest } = more;
    return {
        ran,
        env: { PATH: "/usr/local/bin:/usr/bin" },
        isFile: (file: string) => present.has(file),
        root: true,
        run: (_program: string, [verb = ""]: readonly string[]) => {
            ran.push(verb);
            const updated = ran.includes("update");
            if (verb === "install" && installs !== undefined && updated) present.add(installs);
            return verb === "update" || (installs !== undefined && updated);
        },
        ...rest,
    };
}

test.each([
    ["Debian's browser", ["/usr/bin/chromium"], "/usr/bin/chromium"],
    ["Debian's headless shell", ["/usr/bin/chromium-headless-shell"], "/usr/bin/chromium-headless-shell"],
    ["another's", ["/usr/local/bin/google-chrome"], "/usr/local/bin/google-chrome"],
])("%s is found on PATH", (_what, files, found) => {
    expect(findBrowser(machine(files))).toBe(found);
});

test("a variable names the browser, and a wrong name is an error", () => {
    const env = { PATH: "/usr/bin", CHROMIUM: "/opt/c" };
    expect(findBrowser(machine(["/usr/bin/chromium", "/opt/c"], { env }))).toBe("/opt/c");
    expect(() => installBrowser(() => undefined, machine(["/usr/bin/chromium", "/usr/bin/apt-get"], { env }))).toThrow(
        /CHROMIUM=\/opt\/c is no file/,
    );
});

test("missing packages are installed, with new package lists if needed", () => {
    const fresh = machine(["/usr/bin/apt-get"], { installs: "/usr/bin/chromium" });
    expect(installBrowser(() => undefined, fresh)).toBe("/usr/bin/chromium");
    expect(fresh.ran).toStrictEqual(["install", "update", "install"]);
});

test.each([
    ["without root", machine(["/usr/bin/apt-get"], { root: false, installs: "/usr/bin/chromium" })],
    ["without apt-get", machine([])],
    ["without the package", machine(["/usr/bin/apt-get"])],
])("%s the error says what to do", (_what, where) => {
    expect(() => installBrowser(() => undefined, where)).toThrow(
        /Chromium is missing.*\n {2}remedy: apt-get install chromium fonts-dejavu-core as root, or name another/,
    );
});
