/** Ends the labs of end-to-end tests after all of them: they end with their workers, too, but nobody would wait for that. */
const { readdirSync, rmSync } = require("node:fs");
const { join } = require("node:path");
const { stopLab } = require("../../dist/lab");

module.exports = async () => {
    const folder = process.env.LABS;
    await Promise.all(readdirSync(folder).map((lab) => stopLab(join(folder, lab))));
    rmSync(folder, { recursive: true, force: true });
};
