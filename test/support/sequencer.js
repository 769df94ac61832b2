/**
 * Files that take minutes come first, so that none of them runs alone at the end. A machine that has run the tests before knows their times itself; a fresh one would go by the
 * length of the files.
 */
const { default: Sequencer } = require("@jest/test-sequencer");

const MINUTES = [
    "lab/engine/conformance/replay.test.ts",
    "tools/parity/parity.test.ts",
    "test/e2e/concurrent.test.ts",
    "test/e2e/crash.test.ts",
    "tools/walk/walk.test.ts",
    "tools/crash/crash.test.ts",
];

module.exports = class extends Sequencer {
    sort(tests) {
        const rank = ({ path }) => {
            const at = MINUTES.findIndex((file) => path.endsWith(file));
            return at < 0 ? MINUTES.length : at;
        };
        return super.sort(tests).sort((a, b) => rank(a) - rank(b));
    }
};
