import { endAllProcesses } from "./plugin";
import { main } from "./cli/main";

// Whatever happens, no child outlives this process (SIGKILL excepted, as with the real CLI).
process.on("exit", endAllProcesses);
void main(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
    // Open connections of programs that were refused must not keep the process alive.
    process.stdout.write("", () => process.exit(code));
});
