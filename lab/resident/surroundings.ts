/** Preloaded into a plugin that stays: sets variables and working folder to those of the engine that uses it next. */
import type { Surroundings } from "./request";
import { replaceVariables } from "./variables";

process.on("message", ({ env, cwd }: Surroundings) => {
    replaceVariables(env);
    process.chdir(cwd);
    process.send?.("taken");
});
// Its engine has gone without ending it.
process.on("disconnect", () => process.exit());
