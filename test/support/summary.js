const path = require("node:path");

/** Number of files in the list of the slowest. */
const SLOWEST = 10;

/** @param {{ testFilePath: string, perfStats: { runtime: number } }[]} files */
function slowest(files) {
    if (files.length <= SLOWEST) return "";
    const ranked = files.toSorted((one, other) => other.perfStats.runtime - one.perfStats.runtime).slice(0, SLOWEST);
    const lines = ranked.map(({ testFilePath, perfStats: { runtime } }) => {
        const seconds = String(Math.round(runtime / 1000)).padStart(5);
        return `${seconds} s  ${path.relative(process.cwd(), testFilePath)}\n`;
    });
    return `slowest files:\n${lines.join("")}`;
}

/** Last lines of a run: the slowest files and, for machines, how many tests passed and failed in all projects. */
module.exports = class Summary {
    onRunComplete(_contexts, results) {
        const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = results;
        // A file that cannot be loaded has no tests to count, and has failed all the same.
        const counts = [`${numPassedTests} passed`, `${numFailedTests + numRuntimeErrorTestSuites} failed`];
        const skipped = numPendingTests + numTodoTests;
        if (skipped > 0) counts.push(`${skipped} skipped`);
        // jest runs its own summary after every other reporter.
        const files = slowest(results.testResults);
        process.once("exit", () => process.stdout.write(`${files}${counts.join(", ")}\n`));
    }
};
