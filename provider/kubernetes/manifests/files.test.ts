import { beforeEach, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { onTestFinished } from "../../../test/support/finished";
import { listManifests } from ".";

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

test("manifests of a folder and its subfolders come in the order of their paths; other files do not count", () => {
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

test("a link that leads nowhere is listed: its Services are missing; the lock of an editor is not", () => {
    link("web.yaml", "../shared/web.yaml");
    link(".#api.yaml", "me@host.1234:5678");
    expect(listed()).toStrictEqual(["web.yaml"]);
});
