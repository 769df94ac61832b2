/** Distribution of the tests over several machines. */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY } from "../lab";

interface File {
    readonly path: string;
}

interface Sequencer {
    shard(tests: readonly File[], options: { shardIndex: number; shardCount: number }): readonly File[];
}

interface SequencerClass {
    /** Files that take minutes. */
    readonly MINUTES: readonly string[];
    new (options: object): Sequencer;
}

/** JavaScript, as jest loads it itself. */
const load = async (): Promise<SequencerClass> =>
    ((await import(path.join(REPOSITORY, "test/support/sequencer.js"))) as { default: SequencerClass }).default;

test("the files that take minutes exist", async () => {
    const { MINUTES } = await load();
    expect(MINUTES.filter((file) => !fs.existsSync(path.join(REPOSITORY, file)))).toStrictEqual([]);
});

test.each([1, 2, 3, 5])(
    "of %i machines, each file is one's, and none has many more or many more long ones",
    async (count) => {
        const Class = await load();
        const sequencer = new Class({});
        const others = Array.from({ length: 200 }, (_, index) => `provider/part-${index}.test.ts`);
        const tests = [...others, ...Class.MINUTES].map((file) => ({ path: path.join(REPOSITORY, file) }));
        const shards = Array.from({ length: count }, (_, index) =>
            sequencer.shard(tests, { shardIndex: index + 1, shardCount: count }).map((file) => file.path),
        );
        expect(shards.flat().sort()).toStrictEqual(tests.map((file) => file.path).sort());
        const sizes = shards.map((files) => files.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        const long = shards.map((files) => files.filter((file) => !file.includes("/part-")).length);
        expect(Math.max(...long) - Math.min(...long)).toBeLessThanOrEqual(1);
    },
);
