import type { Op } from "../deploy";

/** Two characters that stand for an operation at the beginning of a line. */
export const PREFIX: Record<Op, string> = {
    same: "  ",
    create: "+ ",
    delete: "- ",
    update: "~ ",
    replace: "+-",
    "create-replacement": "++",
    "delete-replaced": "--",
    read: "> ",
    "read-replacement": ">>",
    refresh: "~ ",
    discard: "< ",
    "discard-replaced": "<<",
    import: "= ",
    "import-replacement": "=>",
    "remove-pending-replace": "~ ",
};

interface Words {
    preview: string;
    running: string;
    done: string;
    failed: string;
    past: string;
}

/** What rows and summaries say of an operation. */
export const WORDS: Record<Op, Words> = {
    same: { preview: "", running: "", done: "", failed: "failed", past: "samed" },
    create: { preview: "create", running: "creating", done: "created", failed: "creating failed", past: "created" },
    update: { preview: "update", running: "updating", done: "updated", failed: "updating failed", past: "updated" },
    delete: { preview: "delete", running: "deleting", done: "deleted", failed: "deleting failed", past: "deleted" },
    replace: {
        preview: "replace",
        running: "replacing",
        done: "replaced",
        failed: "replacing failed",
        past: "replaced",
    },
    "create-replacement": {
        preview: "create replacement",
        running: "creating replacement",
        done: "created replacement",
        failed: "creating failed",
        past: "create-replacementd",
    },
    "delete-replaced": {
        preview: "delete original",
        running: "deleting original",
        done: "deleted original",
        failed: "deleting failed",
        past: "deleted",
    },
    read: { preview: "read", running: "reading", done: "read", failed: "reading failed", past: "read" },
    "read-replacement": {
        preview: "read for replacement",
        running: "reading for replacement",
        done: "read for replacement",
        failed: "reading failed",
        past: "read-replacementd",
    },
    refresh: {
        preview: "refreshing",
        running: "refreshing",
        done: "refresh",
        failed: "refreshing failed",
        past: "refreshed",
    },
    discard: {
        preview: "discard",
        running: "discarding",
        done: "discarded",
        failed: "discarding failed",
        past: "discarded",
    },
    "discard-replaced": {
        preview: "discard original",
        running: "discarding original",
        done: "discarded original",
        failed: "discarding failed",
        past: "discarded",
    },
    import: { preview: "import", running: "importing", done: "imported", failed: "importing failed", past: "imported" },
    "import-replacement": {
        preview: "import replacement",
        running: "importing replacement",
        done: "imported replacement",
        failed: "importing failed",
        past: "imported",
    },
    "remove-pending-replace": { preview: "", running: "", done: "", failed: "", past: "" },
};

/** What the row of a finished step says in a preview: replacements are named as a whole. */
export function previewDoneText(op: Op): string {
    if (op === "refresh") return "refresh";
    if (op === "import-replacement") return "import";
    return ["create-replacement", "delete-replaced", "read-replacement", "discard-replaced"].includes(op)
        ? "replace"
        : WORDS[op].preview;
}

/** Order of operations in the summary. */
export const OPS: readonly Op[] = [
    "same",
    "create",
    "update",
    "delete",
    "replace",
    "create-replacement",
    "delete-replaced",
    "read",
    "read-replacement",
    "refresh",
    "discard",
    "discard-replaced",
    "remove-pending-replace",
    "import",
    "import-replacement",
];

/** `1 error`, `2 errors`. */
export function plural(n: number, word: string): string {
    return `${n} ${word}${n === 1 ? "" : "s"}`;
}

/** Short form of a type: a module that only repeats the type's name is left out. */
export function displayType(type: string): string {
    const [pkg, module, name] = type.split(":");
    if (pkg === undefined || module === undefined || !name) return type;
    const slash = module.lastIndexOf("/");
    if (slash < 0) return type;
    return module.slice(slash + 1) === name.slice(0, 1).toLowerCase() + name.slice(1)
        ? `${pkg}:${module.slice(0, slash)}:${name}`
        : type;
}

/** Control characters that have a letter of their own. */
const LETTERS: Readonly<Record<string, string>> = {
    "\x07": "a",
    "\b": "b",
    "\f": "f",
    "\n": "n",
    "\r": "r",
    "\t": "t",
    "\v": "v",
    '"': '"',
    "\\": "\\",
};
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** A text as a Go string literal shows it. */
export function quote(s: string): string {
    return `"${Array.from(s, quotedCharacter).join("")}"`;
}
function quotedCharacter(c: string): string {
    const letter = LETTERS[c];
    if (letter !== undefined) return `\\${letter}`;
    if (PRINTABLE.test(c)) return c;
    const code = c.codePointAt(0) as number;
    const hex = (digits: number) => code.toString(16).padStart(digits, "0");
    if (code < 0x80) return `\\x${hex(2)}`;
    return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}
