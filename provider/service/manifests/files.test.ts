import { beforeEach, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { onTestFinished } from "../../../test/support/finished";
import { listManifests, ManifestFileError, readManifest } from ".";
import { MAX_MANIFEST } from "./read";

let folder: string;

beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-manifests-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
});

const write = (...files: readonly string[]): void => {
    for (const file of files) {
        fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        fs.writeFileSync(path.join(folder, file), "");
    }
};

const link = (from: string, to: string): void => fs.symlinkSync(to, path.join(folder, from));

const listed = (): string[] | undefined => listManifests(folder)?.map((file) => path.relative(folder, file));

test("manifests of a folder and its subfolders are read in the order of their paths", () => {
    write("web.yaml", "a/b.YML", "a/notes.txt", "c.json", "a.yaml/d.yml");
    expect(listed()).toStrictEqual(["a.yaml/d.yml", "a/b.YML", "c.json", "web.yaml"]);
});

test("what is no folder has none", () => {
    write("web.yaml");
    expect(listManifests(path.join(folder, "web.yaml"))).toBeUndefined();
    expect(listManifests(path.join(folder, "none"))).toBeUndefined();
});

test("a folder that is mounted from a ConfigMap has each file once, by the name in the ConfigMap", () => {
    write("..2026_01_01/web.yaml");
    link("..data", "..2026_01_01");
    link("web.yaml", "..data/web.yaml");
    expect(listed()).toStrictEqual(["web.yaml"]);
});

test("links that lead around in circles end", () => {
    write("a/web.yaml", "b/api.yaml");
    link("a/loop", "..");
    link("b/loop", "../a");
    link("self.yaml", "self.yaml");
    expect(listed()).toStrictEqual(["a/web.yaml", "b/api.yaml", "self.yaml"]);
});

test("a broken link is listed, as its Services are missing, but not the lock of an editor", () => {
    link("web.yaml", "../shared/web.yaml");
    link(".#api.yaml", "me@host.1234:5678");
    expect(listed()).toStrictEqual(["web.yaml"]);
});

test("links that lead to their own folder end at once", () => {
    write("web.yaml");
    for (const name of ["a", "b", "c"]) link(name, ".");
    expect(listed()).toStrictEqual(["web.yaml"]);
});

const OUTSIDE: readonly (readonly [string, string])[] = [
    ["the environment of the process", "/proc/self/environ"],
    ["a file beside the folder", "../beside.yaml"],
    ["another link that leads there", "again"],
];
for (const [what, to] of OUTSIDE) {
    test(`a link to ${what} is listed, and not read`, () => {
        const beside = path.join(path.dirname(folder), "beside.yaml");
        fs.writeFileSync(beside, "secret");
        onTestFinished(() => fs.rmSync(beside));
        link("again", "../beside.yaml");
        link("web.yaml", to);
        expect(listed()).toStrictEqual(["web.yaml"]);
        for (const read of [
            () => readManifest(path.join(folder, "web.yaml"), folder),
            () => readManifest(path.join(folder, "web.yaml")),
        ]) {
            expect(read).toThrow(ManifestFileError);
            expect(read).toThrow(/^it is a link out of its folder, and is not followed$/);
        }
    });
}

test("a folder that a link out of the folder leads to is named, and not looked into", () => {
    const other = fs.mkdtempSync(path.join(os.tmpdir(), "ack-other-"));
    onTestFinished(() => fs.rmSync(other, { recursive: true }));
    fs.writeFileSync(path.join(other, "config.json"), "{}");
    link("shared", other);
    expect(listed()).toStrictEqual(["shared"]);
    expect(() => readManifest(path.join(folder, "shared"), folder)).toThrow(ManifestFileError);
});

test("links within the folder are followed, also where the folder is named by a link itself", () => {
    write("a/web.yaml");
    fs.writeFileSync(path.join(folder, "a/web.yaml"), "kind: Service");
    link("web.yaml", "a/web.yaml");
    link("a/here", "..");
    expect(readManifest(path.join(folder, "web.yaml"), folder)).toBe("kind: Service");
    expect(readManifest(path.join(folder, "a/here/web.yaml"), path.join(folder, "a/here"))).toBe("kind: Service");
});

test("a file of more than 3 MB is not read", () => {
    write("web.yaml");
    fs.truncateSync(path.join(folder, "web.yaml"), MAX_MANIFEST + 1);
    expect(() => readManifest(path.join(folder, "web.yaml"), folder)).toThrow(
        "it holds 4 MB, and at most 3 MB are read",
    );
});

test("folders are read up to 50 levels deep; what is below is refused, not left out", () => {
    const deep = "d/".repeat(50);
    write(`${deep}web.yaml`, `${deep}d/api.yaml`, "d/shop.yaml");
    link("a", `${deep}d`);
    expect(listed()).toStrictEqual(["a/api.yaml", `${deep}web.yaml`, "d/shop.yaml"]);
    fs.rmSync(path.join(folder, "a"));
    expect(listed()).toStrictEqual([`${deep}d`, `${deep}web.yaml`, "d/shop.yaml"]);
    expect(() => readManifest(path.join(folder, `${deep}d`), folder)).toThrow(
        "it is a folder, and folders are read up to 50 levels deep",
    );
});
