/** Instructions of a Dockerfile, by stages. */

/** Instruction, such as `RUN`, and the text that follows it. */
export interface Instruction {
    readonly name: string;
    /** Words that begin with two dashes directly after the name: `--from=build`. */
    readonly flags: readonly string[];
    readonly text: string;
}

/** Stage from a `FROM` to the next. */
export interface Stage {
    readonly image: string;
    /** Absent where the stage has no name. */
    readonly name?: string;
    readonly instructions: readonly Instruction[];
}

/**
 * Reads a Dockerfile without directives, variables and documents of the shell.
 * Source: https://docs.docker.com/reference/dockerfile/
 * @throws Error for a line that is no instruction, or an instruction before the first `FROM`
 */
export function readDockerfile(text: string): Stage[] {
    const lines = text
        .split("\n")
        .filter((line) => !/^\s*(?:#|$)/.test(line))
        .join("\n")
        .replaceAll(/\\\n/g, " ")
        .split("\n");
    const stages: { image: string; name?: string; instructions: Instruction[] }[] = [];
    for (const line of lines) {
        const [, name = "", rest = ""] = /^([A-Z]+)\s+(\S.*)$/.exec(line) ?? [];
        const words = rest.split(/\s+/);
        const flags = words.slice(
            0,
            words.findIndex((word) => !word.startsWith("--")),
        );
        const stage = stages.at(-1);
        if (name === "FROM") {
            const [image = "", as, stageName] = words.slice(flags.length);
            stages.push({
                image,
                ...(as === "AS" && stageName !== undefined ? { name: stageName } : {}),
                instructions: [],
            });
        } else if (name === "" || stage === undefined) throw new Error(`no instruction of a stage: ${line}`);
        else stage.instructions.push({ name, flags, text: words.slice(flags.length).join(" ") });
    }
    return stages;
}
