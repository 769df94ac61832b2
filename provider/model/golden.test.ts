/**
 * The examples of the documents, as golden files: what is read from each of them and what is said about it.
 * `UPDATE_GOLDEN=1 npx jest golden` writes testdata/golden/manifests.json anew; read the difference before committing it.
 */

import { expect, test } from "@jest/globals";
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { formatPosition, isError, type Issue } from "../issues";
import { readManifests } from "../manifest";
import { parseService } from "./service";

const MANIFESTS = "testdata/manifests";
const GOLDEN = "testdata/golden/manifests.json";
const files = readdirSync(MANIFESTS).sort();

const oneLine = ({ at, severity, code, path, message, remedy }: Issue): string =>
    `${at === undefined ? "" : formatPosition(at)} ${severity}[${code}] ${path}: ${message} (remedy: ${remedy})`;

function readAll(): unknown {
    return Object.fromEntries(
        files.map((file) => {
            const { services, issues } = readManifests(readFileSync(`${MANIFESTS}/${file}`, "utf8"));
            const parsed = services.map((document) => parseService(document, { clusterId: "c1" }));
            return [
                file,
                {
                    services: parsed.flatMap(({ service }) =>
                        service === undefined ? [] : [{ ...service, object: undefined }],
                    ),
                    issues: [...issues, ...parsed.flatMap((one) => one.issues)].map(oneLine),
                },
            ];
        }),
    );
}

test("all 47 examples are there", () => expect(files).toHaveLength(47));

test("the examples are read as they always were", () => {
    const actual = JSON.parse(JSON.stringify(readAll())) as unknown;
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(GOLDEN, `${JSON.stringify(actual, null, 2)}\n`);
    expect(actual).toStrictEqual(JSON.parse(readFileSync(GOLDEN, "utf8")));
});

/** What a reader of the documents puts in the place of their placeholders. */
const FILLED_IN: Readonly<Record<string, string>> = {
    "${YOUR_VSWITCH_ID}": "vsw-bp1s5fnvk4gn2tws0abcd",
    "<your-vswitch-id>": "vsw-bp1s5fnvk4gn2tws0abcd",
    "<your-clb-instance-id>": "lb-bp1ids9hmq5924m6abcde",
    "<your-acl-id>": "acl-bp1l0kk4gxce43kzkabcd",
    "<your-cert-id>": "1234567890_abc_1_2",
    "<your-service-hostname>": "www.example.com",
    "<domain-1>:<cert-id-1>": "example.com:cert-id-1",
    "<domain-2>:<cert-id-2>": "api.example.com:cert-id-2",
    "192.168.x.x": "192.168.0.10",
};

test("with their placeholders filled in, nothing is wrong with the examples but what is not realised yet", () => {
    for (const file of files) {
        // An example of a patch, not of a whole Service.
        if (file.startsWith("45-")) continue;
        let text = readFileSync(`${MANIFESTS}/${file}`, "utf8");
        for (const [placeholder, value] of Object.entries(FILLED_IN)) text = text.replaceAll(placeholder, value);
        const { services, issues } = readManifests(text, file);
        assert.deepEqual([services.length, issues], [1, []], file);
        for (const document of services) {
            const errors = parseService(document, { clusterId: "c1" }).issues.filter(isError);
            assert.deepEqual(
                errors.filter((issue) => issue.code !== "annotation-not-realised"),
                [],
                file,
            );
        }
    }
});

test("masked values of the documents can be let through, templates cannot", () => {
    for (const file of files) {
        const text = readFileSync(`${MANIFESTS}/${file}`, "utf8");
        const placeholders = readManifests(text)
            .services.flatMap((document) => parseService(document, { clusterId: "c1", allowMaskedIds: true }).issues)
            .filter((issue) => issue.code === "annotation-placeholder" || issue.code === "annotation-value");
        assert.equal(placeholders.length, text.includes("${") ? 1 : 0, file);
    }
});
