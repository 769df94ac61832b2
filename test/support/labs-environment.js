/** Where end-to-end tests run: all files of a worker find the same labs, since starting one takes as long as many a test. */
const TestEnvironment = require("./environment.js");
// Compiled: it outlives the modules of each file.
const { LabPool } = require("../../dist/lab");

/** @type {InstanceType<typeof LabPool> | undefined} */
let labs;

module.exports = class extends TestEnvironment {
    async setup() {
        await super.setup();
        this.global.labs = labs ??= new LabPool(process.env.LABS);
    }
};
