/**
 * Text of a demonstration without the parts that differ between runs: ids, times, the order of independent resources,
 * and messages that depend on timing. The rest is the text of the engine and its plugins.
 */

export interface Command {
    readonly line: string;
    readonly output: readonly string[];
}

/** The commands of a demonstration in their order. */
export function commandsOf(transcript: string): Command[] {
    const commands: { line: string; output: string[] }[] = [];
    let current: string[] | undefined;
    for (const line of withoutIds(transcript).split("\n")) {
        if (line.startsWith("$ ")) {
            current = [];
            commands.push({ line, output: current });
        } else if (line.startsWith("─") || line.startsWith("  ✓ ")) current = undefined;
        else current?.push(line);
    }
    return commands;
}

const IDS: readonly (readonly [RegExp, string])[] = [
    [/\bquickstart-\d+/g, "quickstart-<pid>"],
    [/\S*\/manifests\b/g, "<manifests>"],
    [/(\$PATH at|expected) \S+\/(pulumi-[\w-]+)/g, "$1 <folder>/$2"],
    [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>"],
    [/\b(lb|rsp|lsn|i)-[0-9a-z]+\b/g, "$1-<id>"],
    [/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"<time>"'],
    [/\b(172\.21|203\.0)(\.\d+){2}\b/g, "<ip>"],
    [/\b(node)?([Pp]ort) *: 3\d{4}\b/g, "$1$2: <port>"],
    [/(resourceVersion *:) "\d+" => "\d+"/g, '$1 "<version>" => "<version>"'],
    [/\(\d+(\.\d+)?s\)/g, "(<seconds>)"],
    [/^Duration: .*$/gm, "Duration: <seconds>"],
];

const withoutIds = (text: string): string => IDS.reduce((t, [pattern, name]) => t.replace(pattern, name), text);

const HEARTBEAT = /^@ [a-z ]+\.{3,}$/;
/** A row of the progress display: type and name of the resource, status and messages. */
const ROW = /^ [-+~<>= ]{2} (\S+:\S+ \S+) ?(.*)$/;
/** The first line of a resource in the property diffs. */
const STEP = /^ *(?:[-+~<>=]{1,2} )?\S+:\S+: \([\w-]+\)/;
/** A violation: pack or dash, level, severity, policy, resource. */
const VIOLATION = /^ +(?:-|\S+@v\S+) \[(?:advisory|mandatory|remediate)\].*?\([^)]*\)/;
/** Statuses that the plugin gives only if the object still exists at its next look. */
const TRANSIENT = /(Service is ready|Resource scheduled for deletion)$/;

/**
 * Output of a command as paragraphs in a fixed order: the rows of a resource, its property diff, or a single line. The
 * texts of policies and of refusals are the program's, and left out.
 */
export function paragraphsOf(output: readonly string[]): string[] {
    const isRefused = output.some((line) => line.startsWith("    ❌"));
    const rows = new Map<string, string[]>();
    const paragraphs: string[][] = [];
    let step: string[] | undefined;
    let isMessage = false;
    for (const line of output) {
        if (line.trim() === "" || HEARTBEAT.test(line)) continue;
        const violation = VIOLATION.exec(line);
        const [, resource, status = ""] = ROW.exec(line) ?? [];
        const isWarning = line.startsWith("warning: ");
        const isHeader = STEP.test(line);
        if (violation !== null) paragraphs.push([violation[0]]);
        else if (resource !== undefined) addRow(rows, resource, line, status, isRefused);
        else if (isWarning) paragraphs.push([line]);
        else if (isHeader) paragraphs.push((step = [line]));
        else if (/^(Resources|Policies|Diagnostics|Policy Packs run):$/.test(line)) paragraphs.push([line]);
        else if (step !== undefined && isOutputsOfAnother(step, line)) paragraphs.push((step = [line]));
        else if (step !== undefined) step.push(line);
        else if (!isMessage) paragraphs.push([line.replace(/(has a problem:).*/, "$1")]);
        isMessage = violation !== null || (isMessage && !isHeader && /^(\S.*\.| {6,}.*)$/.test(line));
        if (violation !== null || /^\S.*:$/.test(line)) step = undefined;
    }
    return [...paragraphs.map(ordered), ...rows.values()].map((lines) => lines.join("\n")).sort();
}

/** A component's outputs come when they are registered, after other resources, and with its own indentation. */
function isOutputsOfAnother([header = ""]: readonly string[], line: string): boolean {
    const indent = (text: string) => text.length - text.trimStart().length;
    return line.trim() === "--outputs:--" && indent(line) !== indent(header) + 4;
}

function addRow(rows: Map<string, string[]>, resource: string, line: string, status: string, isRefused: boolean): void {
    if (TRANSIENT.test(status)) return;
    // A refusal ends the preview. Which of the concurrently registered resources come before it is open.
    if (isRefused && status.trim() === "create") return;
    // A destroy has two rows of the stack: its deletion, and the messages of the run.
    const key = line.startsWith(" - ") ? `deleted ${resource}` : resource;
    const known = rows.get(key) ?? [];
    rows.set(key, known);
    // The stack's row repeats the last warning, and plugins start in any order.
    const text = line.replace(/(warning|has a problem): .*/, "$1").trimEnd();
    if (known.at(-1) !== text) known.push(text);
}

/** Backends are sorted by their ids, so that their order says nothing. */
const ordered = (lines: readonly string[]): readonly string[] =>
    lines[0]?.includes(":Backends:") ? [...lines].sort() : lines;

/** Returns the paragraphs that are only in the first list, and those that are only in the second. */
export function difference(actual: readonly string[], recorded: readonly string[]): string[] {
    const left = [...recorded];
    const unexpected = actual.filter((paragraph) => {
        const i = left.indexOf(paragraph);
        if (i >= 0) left.splice(i, 1);
        return i < 0;
    });
    return [...unexpected.map((p) => `only here:\n${p}`), ...left.map((p) => `only in the recording:\n${p}`)];
}
