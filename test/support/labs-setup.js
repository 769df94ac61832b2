/** A folder for the labs of end-to-end tests, before all of them. */
const { mkdtempSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

module.exports = () => {
    process.env.LABS = mkdtempSync(join(tmpdir(), "ack-labs-"));
};
