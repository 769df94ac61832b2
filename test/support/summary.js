/** The last line of a run, for machines: how many tests passed and failed in all projects. */
module.exports = class Summary {
    onRunComplete(_contexts, results) {
        const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = results;
        // A file that cannot be loaded has no tests to count, and has failed all the same.
        const counts = [`${numPassedTests} passed`, `${numFailedTests + numRuntimeErrorTestSuites} failed`];
        const skipped = numPendingTests + numTodoTests;
        if (skipped > 0) counts.push(`${skipped} skipped`);
        // jest runs its own summary after every other reporter.
        process.once("exit", () => process.stdout.write(`${counts.join(", ")}\n`));
    }
};
