/** Folder of a release: files, checksums, SBOMs and the SDK for Python. */
import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { RELEASE, released } from "../support/released";

const folder = RELEASE ?? "";
const { version } = JSON.parse(fs.readFileSync("package.json", "utf8")) as { readonly version: string };

test("the folder has what a release uploads, with the version in each name, and nothing else", () => {
    const plugin = `pulumi-resource-ack-loadbalancer-v${version}`;
    expect(fs.readdirSync(folder).sort()).toStrictEqual([
        "SHA256SUMS",
        `ack-loadbalancer-${version}.cdx.json`,
        `ack-loadbalancer-${version}.tgz`,
        `ack-loadbalancer-sdk-go-${version}.tar.gz`,
        `ack-loadbalancer-sync-${version}.tgz`,
        `${plugin}-darwin-amd64.tar.gz`,
        `${plugin}-darwin-arm64.tar.gz`,
        `${plugin}-linux-amd64.tar.gz`,
        `${plugin}-linux-arm64.tar.gz`,
        `${plugin}.cdx.json`,
        `pulumi_ack_loadbalancer-${version}.tar.gz`,
    ]);
});

test("the checksums are those of all other files", () => {
    const sums = fs.readFileSync(path.join(folder, "SHA256SUMS"), "utf8").trim().split("\n");
    expect(sums).toHaveLength(fs.readdirSync(folder).length - 1);
    execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: folder, stdio: "pipe" });
});

test("SBOMs list the packages that are loaded, and no tools", () => {
    const listed = (name: RegExp) => {
        const sbom = JSON.parse(fs.readFileSync(released(name), "utf8")) as {
            readonly bomFormat: string;
            readonly components: readonly { readonly name: string }[];
        };
        expect(sbom.bomFormat).toBe("CycloneDX");
        return sbom.components.map((one) => one.name);
    };
    const own = listed(/^ack-loadbalancer-.*\.cdx\.json$/);
    expect(own).toEqual(expect.arrayContaining(["@kubernetes/client-node", "pino", "zod"]));
    expect(own).not.toContain("@pulumi/pulumi");
    const plugin = listed(/^pulumi-resource-.*\.cdx\.json$/);
    expect(plugin).toEqual(expect.arrayContaining(["ack-loadbalancer", "@pulumi/alicloud", "@pulumi/pulumi", "zod"]));
    for (const names of [own, plugin])
        expect(names.filter((name) => /jest|eslint|prettier/.test(name))).toStrictEqual([]);
});

test("the SDK for Python is a folder that pip builds, with the page that its project names", () => {
    const entries = execFileSync("tar", ["-tzf", released(/^pulumi_ack_loadbalancer-/)], { encoding: "utf8" });
    for (const name of ["pyproject.toml", "README.md", "pulumi_ack_loadbalancer/pulumi-plugin.json"])
        expect(entries.split("\n")).toContain(`pulumi_ack_loadbalancer-${version}/${name}`);
});
