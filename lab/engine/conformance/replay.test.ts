import { expect, test } from "@jest/globals";
import { resolve } from "node:path";
import { REPOSITORY } from "../../../test/support/repository";
import { replay } from "./replay";

test("the recordings of the real engine are met", async () => {
    const wrong: string[] = [];
    const verdicts = await replay(
        {
            corpus: resolve(REPOSITORY, "testdata", "engine"),
            lib: resolve(REPOSITORY, "testdata", "engine", "lib"),
            pulumi: resolve(REPOSITORY, "lab", "bin", "pulumi"),
            nodeModules: resolve(REPOSITORY, "node_modules"),
            keep: false,
        },
        [],
        1,
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
    expect(verdicts.size).toBeGreaterThan(0);
    expect(wrong).toStrictEqual([]);
});
