import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { readInput, readJson } from "./input";

let folder: string;

beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-input-"));
});

afterAll(() => fs.rmSync(folder, { recursive: true }));

test("a pipe that does not block is read to its end, also where nothing is written at first", () => {
    const pipe = path.join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const input = fs.openSync(pipe, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const output = fs.openSync(pipe, "w");
    spawn("sh", ["-c", "sleep 0.2; echo one; sleep 0.1; echo two"], { stdio: ["ignore", output, "inherit"] });
    fs.closeSync(output);
    expect(() => fs.readSync(input, Buffer.alloc(1))).toThrow(/EAGAIN/);
    expect(readInput("-", input)).toBe("one\ntwo\n");
    fs.closeSync(input);
});

test("a file is read by its name", () => {
    const file = path.join(folder, "file");
    fs.writeFileSync(file, "ä");
    expect(readInput(file)).toBe("ä");
    expect(() => readInput(path.join(folder, "none"))).toThrow(/ENOENT/);
});

test("a file that PowerShell wrote is read: UTF-16, or UTF-8 with a mark", () => {
    const file = path.join(folder, "powershell");
    for (const bytes of [Buffer.from('\ufeff{"ä": 1}', "utf16le"), Buffer.from('\ufeff{"ä": 1}')]) {
        fs.writeFileSync(file, bytes);
        expect(readJson(file)).toStrictEqual({ ä: 1 });
    }
});
