import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import { isNewer, packageVersion } from "./version";

test("the version is that of package.json, which names it for Pulumi, too", () => {
    const { version, pulumi } = JSON.parse(fs.readFileSync("package.json", "utf8")) as {
        readonly version: string;
        readonly pulumi: object;
    };
    expect(packageVersion()).toBe(version);
    // A program in TypeScript needs no plugin: the CLI would try to download it in each run.
    expect(pulumi).toStrictEqual({ resource: false, name: "ack-loadbalancer", version });
});

test("versions are ordered by their numbers, and pre-releases come before their release", () => {
    const ordered = ["0.1.0-rc.2", "0.1.0-rc.10", "0.1.0", "0.1.1", "0.2.0", "0.10.0", "1.0.0-beta", "1.0.0", "2.0.0"];
    for (const [left, version] of ordered.entries())
        for (const [right, than] of ordered.entries()) expect(isNewer(version, than)).toBe(left > right);
    for (const other of ["", "next", "1.0", "1.0.0.1"]) {
        expect(isNewer(other, "0.1.0")).toBe(false);
        expect(isNewer("0.1.0", other)).toBe(false);
    }
    expect(isNewer("1.0.0+build.2", "1.0.0+build.1")).toBe(false);
});
