/** Preloaded into a plugin that is kept: takes variables and working folder of the engine that uses it next, as if that had started it. */
import type { Surroundings } from "./request";

process.on("message", ({ env, cwd }: Surroundings) => {
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, env);
    process.chdir(cwd);
    process.send?.("taken");
});
