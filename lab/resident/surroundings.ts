/** Preloaded into a plugin that is kept: takes variables and working folder of the engine that uses it next, as if that had started it. */
import type { Surroundings } from "./request";
import { replaceVariables } from "./variables";

process.on("message", ({ env, cwd }: Surroundings) => {
    replaceVariables(env);
    process.chdir(cwd);
    process.send?.("taken");
});
// Its engine has gone without ending it.
process.on("disconnect", () => process.exit());
