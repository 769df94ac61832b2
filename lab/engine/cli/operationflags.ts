import { bool, list, requireOneOf, parseArguments, text, type Arguments, type FlagTable } from "./args";

/** Flags of the commands that run a deployment. */
export const OPERATION_FLAGS: FlagTable = {
    stack: { kind: "text", short: "s" },
    yes: { kind: "bool", short: "y" },
    "skip-preview": { kind: "bool", short: "f" },
    diff: bool,
    json: { kind: "bool", short: "j" },
    refresh: { kind: "text", short: "r" },
    "run-program": bool,
    target: { kind: "list", short: "t" },
    exclude: { kind: "list", short: "x" },
    "target-dependents": bool,
    "exclude-dependents": bool,
    "target-replace": list,
    replace: list,
    "policy-pack": list,
    "policy-pack-config": list,
    "expect-no-changes": bool,
    parallel: { kind: "number", short: "p" },
    "continue-on-error": bool,
    "show-sames": bool,
    "show-secrets": bool,
    "show-reads": bool,
    "show-full-output": bool,
    "show-config": bool,
    "show-replacement-steps": bool,
    "show-policy-remediations": bool,
    urns: bool,
    "suppress-outputs": bool,
    "suppress-progress": bool,
    "suppress-permalink": text,
    "suppress-stream-logs": bool,
    message: { kind: "text", short: "m" },
    config: { kind: "list", short: "c" },
    "config-path": bool,
    "config-file": text,
    "event-log": text,
    client: text,
    "exec-kind": text,
    "exec-agent": text,
    debug: { kind: "bool", short: "d" },
    "import-pending-creates": list,
    "clear-pending-creates": bool,
    "skip-pending-creates": bool,
    "preview-only": bool,
    "save-plan": text,
    plan: text,
    "import-file": text,
    remove: bool,
    "exclude-protected": bool,
    "secrets-provider": text,
    "attach-debugger": list,
    neo: bool,
    copilot: bool,
    "skip-plugin-pre-install": bool,
};

/** The commands that run a deployment. */
export type OperationCommand = "preview" | "up" | "refresh" | "destroy";

/** Flags that only some of the commands know. */
const ONLY: Readonly<Record<string, readonly OperationCommand[]>> = {
    yes: ["up", "refresh", "destroy"],
    "skip-preview": ["up", "refresh", "destroy"],
    refresh: ["preview", "up", "destroy"],
    replace: ["preview", "up"],
    "target-replace": ["preview", "up"],
    "policy-pack": ["preview", "up"],
    "policy-pack-config": ["preview", "up"],
    "expect-no-changes": ["preview", "up", "refresh"],
    "continue-on-error": ["up", "destroy"],
    "import-pending-creates": ["refresh"],
    "clear-pending-creates": ["refresh"],
    "skip-pending-creates": ["refresh"],
    "preview-only": ["refresh", "destroy"],
    "save-plan": ["preview"],
    "import-file": ["preview"],
    plan: ["up"],
    remove: ["destroy"],
    "exclude-protected": ["destroy"],
    "secrets-provider": ["up"],
};

/** Flags for those who work on the CLI itself. */
const DEBUG_ONLY = "event-log";

/**
 * Reads the command line of a command that runs a deployment.
 * @throws UsageError for what the command does not know, and for flags that exclude each other
 */
export function parseOperation(command: OperationCommand, argv: readonly string[]): Arguments {
    const debugging = process.env["PULUMI_DEBUG_COMMANDS"];
    const flags = Object.entries(OPERATION_FLAGS).filter(
        ([name]) => (ONLY[name]?.includes(command) ?? true) && (debugging || name !== DEBUG_ONLY),
    );
    const args = parseArguments(argv, Object.fromEntries(flags));
    requireOneOf(["target", "exclude"], args);
    return args;
}
