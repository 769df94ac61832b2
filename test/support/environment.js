/**
 * Where every test runs. What a worker has compiled for one file it need not compile for the next: V8 takes over what it
 * has made of the same source before.
 */
const vm = require("node:vm");
const { TestEnvironment } = require("jest-environment-node");

/** @type {Map<string, { code: string, cachedData: Buffer }>} */
const compiled = new Map();

// Each file has modules of its own, which jest compiles by this function.
const compileFunction = vm.compileFunction.bind(vm);
vm.compileFunction = (code, params, options) => {
    const { filename = "" } = options ?? {};
    const known = compiled.get(filename);
    if (known?.code === code) {
        const taken = compileFunction(code, params, { ...options, cachedData: known.cachedData });
        // As it is after V8's flags have changed, which the SDK does while it loads.
        if (!taken.cachedDataRejected) return taken;
    }
    const made = compileFunction(code, params, { ...options, produceCachedData: true });
    if (made.cachedData !== undefined) compiled.set(filename, { code, cachedData: made.cachedData });
    return made;
};

// A worker with nothing left to do ends without freeing its heap, which on busy cores takes longer than the half second
// that jest waits before it blames open handles. With an open handle the event does not come.
process.once("beforeExit", () => process.exit());

module.exports = TestEnvironment;
