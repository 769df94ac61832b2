/**
 * Checks the types of a project with its own TypeScript, and those of the packages whose names fit a pattern, for each
 * set of options. Types of other packages are read only.
 *
 * usage: node check-types.js <folder of the project> <pattern> <compiler options as JSON>...
 */
const path = require("node:path");

const [folder, pattern, ...sets] = process.argv.slice(2);
const packages = new RegExp(`/node_modules/(?:${pattern})/`);
const ts = require(path.join(folder, "node_modules/typescript"));
const read = ts.readConfigFile(path.join(folder, "tsconfig.json"), ts.sys.readFile);

for (const options of sets) {
    const { compilerOptions, ...config } = read.config;
    const merged = { ...config, compilerOptions: { ...compilerOptions, ...JSON.parse(options) } };
    const { fileNames, options: parsed, errors } = ts.parseJsonConfigFileContent(merged, ts.sys, folder);
    const program = ts.createProgram(fileNames, parsed);
    const checked = program
        .getSourceFiles()
        .filter(({ fileName }) => !fileName.includes("/node_modules/") || packages.test(fileName));
    const found = [
        ...errors,
        ...program.getOptionsDiagnostics(),
        ...program.getGlobalDiagnostics(),
        ...checked.flatMap((file) => [
            ...program.getSyntacticDiagnostics(file),
            ...program.getSemanticDiagnostics(file),
        ]),
    ];
    const host = { getCurrentDirectory: () => folder, getCanonicalFileName: (name) => name, getNewLine: () => "\n" };
    process.stdout.write(`${checked.length} files with ${options}\n${ts.formatDiagnostics(found, host)}`);
    if (found.length > 0) process.exitCode = 1;
}
