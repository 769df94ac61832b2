/** Gives this process other variables. They are replaced one by one: Node asks the system itself for some of them, such as HOME. */
export function replaceVariables(variables: NodeJS.ProcessEnv): void {
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
}
