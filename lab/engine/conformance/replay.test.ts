import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { replay } from "./replay";

const root = resolve(__dirname, "..", "..", "..", "..");

test("the recordings of the real engine are met", { timeout: 1_200_000 }, async () => {
    const wrong: string[] = [];
    const verdicts = await replay(
        {
            corpus: resolve(root, "testdata", "engine"),
            lib: resolve(root, "testdata", "engine", "lib"),
            pulumi: resolve(root, "lab", "bin", "pulumi"),
            nodeModules: resolve(root, "node_modules"),
            keep: false,
        },
        [],
        2,
        (id, v) => {
            if (v.kind === "wrong")
                wrong.push(
                    `${id}: ${v.differences
                        .map((d) => d.where)
                        .slice(0, 5)
                        .join("; ")}`,
                );
        },
    );
    assert.ok(verdicts.size > 0);
    assert.deepEqual(wrong, []);
});
