/** Replaces the variables of this process in place, since Node reads some of them, such as HOME, from the system. */
export function replaceVariables(variables: NodeJS.ProcessEnv): void {
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
}
