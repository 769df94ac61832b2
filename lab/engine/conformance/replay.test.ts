import { afterAll, expect, test } from "@jest/globals";
import { resolve } from "node:path";
import { REPOSITORY } from "../../../test/support/repository";
import { Resident } from "../resident";
import { replay } from "./replay";

/** About as long as a process for dynamic providers takes to start: programs have registered what they can by then. */
const START_MS = 400;

/** Cases and steps that are about processes have their own; so have all of them with RESIDENT=0, and in `make conformance`. */
const resident =
    process.env["RESIDENT"] === "0"
        ? undefined
        : new Resident(process.env, { names: ["pulumi-nodejs"], startMs: START_MS });

afterAll(() => resident?.stop());

test("the recordings of the real engine are met", async () => {
    const wrong: string[] = [];
    const verdicts = await replay(
        {
            corpus: resolve(REPOSITORY, "testdata", "engine"),
            lib: resolve(REPOSITORY, "testdata", "engine", "lib"),
            pulumi: resolve(REPOSITORY, "lab", "bin", "pulumi"),
            nodeModules: resolve(REPOSITORY, "node_modules"),
            keep: false,
            ...(resident === undefined ? {} : { resident }),
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
