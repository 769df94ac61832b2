/**
 * Files that take minutes come first, so that none of them runs alone at the end. A machine that has run the tests
 * before knows their times itself; a fresh one would go by the length of the files.
 */
const { default: Sequencer } = require("@jest/test-sequencer");

const MINUTES = [
    "tools/parity/parity.test.ts",
    "tools/trials/walk/walk.test.ts",
    "test/e2e/explain-healthy.test.ts",
    "test/e2e/explain-breakages.test.ts",
    "test/e2e/concurrent.test.ts",
    "test/e2e/sync-outage.test.ts",
    "test/e2e/drift.test.ts",
    "test/consumer/consumer.test.ts",
    "test/e2e/language.test.ts",
    "tools/trials/crash/crash.test.ts",
    "test/e2e/report-check.test.ts",
    "test/e2e/clusters.test.ts",
    "test/e2e/yaml.test.ts",
    "test/e2e/tutorial.test.ts",
    "test/e2e/quotas.test.ts",
    "test/e2e/crash.test.ts",
    "lab/quickstart.test.ts",
    "test/consumer/image.test.ts",
    "lab/cluster/cluster.test.ts",
];

/** @param {{ path: string }} test */
const rank = ({ path }) => {
    const at = MINUTES.findIndex((file) => path.endsWith(file));
    return at < 0 ? MINUTES.length : at;
};

module.exports = class extends Sequencer {
    static MINUTES = MINUTES;

    sort(tests) {
        return super.sort(tests).sort((a, b) => rank(a) - rank(b));
    }

    /** Deals the files to the machines forth and back, long ones first, so that each has about as much to do. */
    shard(tests, { shardIndex, shardCount }) {
        const ordered = [...tests].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
        return ordered.filter((_, at) => {
            const place = at % shardCount;
            const isForth = Math.floor(at / shardCount) % 2 === 0;
            return (isForth ? place : shardCount - 1 - place) === shardIndex - 1;
        });
    }
};
