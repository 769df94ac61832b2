/**
 * Previews of programs that have nothing to do with this package, as the Pulumi CLI printed them (3.260, texts
 * normalised).
 */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { buildReport } from "./build";
import { readDigest } from "./preview";
import { stepsOf } from "./step";

const FOLDER = path.join(__dirname, "../../testdata/previews-of-others");

test.each(fs.readdirSync(FOLDER))("%s is read, and has no Service of this package", (name) => {
    const report = buildReport({ steps: stepsOf(readDigest(fs.readFileSync(path.join(FOLDER, name), "utf8"))) });
    expect(report.subjects).toStrictEqual([]);
    expect([report.project, report.stack]).toStrictEqual(["preview-json", "dev"]);
});
