/** A command line of the CLI, as the resident process is sent it. */
export interface Request {
    readonly args: readonly string[];
    readonly cwd: string;
    /** Variables that this command has beside those of the process. Default none. */
    readonly env?: Readonly<Record<string, string>>;
}

/** Response: output as it is printed, then how the command ended. The first code means that the process is ready. */
export type Answer = { readonly output: string; readonly isError: boolean } | { readonly code: number };

/** Variables and working folder of a process. */
export interface Surroundings {
    readonly env: NodeJS.ProcessEnv;
    readonly cwd: string;
}
