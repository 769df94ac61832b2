import { createDecipheriv, pbkdf2Sync } from "node:crypto";
import type { Json, JsonMap } from "./case";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** Reads ciphertexts of one stack. @throws Error for texts made with another key */
export type Decrypt = (ciphertext: string) => string;

const keys = new Map<string, Buffer>();

/** The reader for a salt text, with the passphrase secrets provider's parameters. */
export function decrypter(salt: string, passphrase: string): Decrypt {
    const raw = /^v1:([^:]+):/.exec(salt)?.[1];
    if (raw === undefined)
        return () => {
            throw new Error("no salt");
        };
    let key = keys.get(raw);
    if (!key) keys.set(raw, (key = pbkdf2Sync(passphrase, Buffer.from(raw, "base64"), 1_000_000, 32, "sha256")));
    const k = key;
    return (text) => {
        const [version, nonce = "", data = ""] = text.split(":");
        if (version !== "v1") throw new Error("unknown version");
        const bytes = Buffer.from(data, "base64");
        const d = createDecipheriv("aes-256-gcm", k, Buffer.from(nonce, "base64"));
        d.setAuthTag(bytes.subarray(bytes.length - 16));
        return Buffer.concat([d.update(bytes.subarray(0, bytes.length - 16)), d.final()]).toString("utf8");
    };
}

/** Takes out of texts and documents what differs from run to run, as the corpus describes. */
export class Normaliser {
    private readonly paths: [string, string][];
    private readonly uuids = new Map<string, string>();

    /** @param paths absolute path and the name it gets; longer paths are replaced first */
    constructor(
        paths: readonly (readonly [string, string])[],
        private readonly decrypt: () => Decrypt,
    ) {
        this.paths = paths.map(([p, n]) => [p, n] as [string, string]).sort((a, b) => b[0].length - a[0].length);
    }

    text(raw: string): string {
        let s = raw;
        for (const [path, name] of this.paths) s = s.replaceAll(path, name);
        s = s
            .replace(/<\{%.*?%\}>/g, "")
            .replace(/\x1b\[[0-9;]*m/g, "")
            .replaceAll(UNKNOWN, "<unknown>");
        s = s.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (u) => {
            let name = this.uuids.get(u);
            if (name === undefined) this.uuids.set(u, (name = `<uuid:${this.uuids.size + 1}>`));
            return name;
        });
        s = s.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:<port>");
        s = s.replace(/\(\d+(?:\.\d+)?s\)/g, "(<t>)").replace(/^(\s*Duration: ).*$/gm, "$1<t>");
        s = s.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, "<time>");
        s = s.replace(/^@ .*\n?/gm, "");
        s = s.replace(
            /(?:^[ \t]*at [^\n]*(?:\n|$))+/gm,
            (m) => `${/^[ \t]*/.exec(m)?.[0] ?? ""}at <stack>${m.endsWith("\n") ? "\n" : ""}`,
        );
        s = s.replace(
            /exports\.handler = __f0;[\s\S]*?__f0\(\)[\s\S]*?apply\(this, arguments\);\s*\}\n?/g,
            "<provider>",
        );
        s = s.replace(/created by \S+@\S+ \(pid \d+\)/g, "created by <user>@<host> (pid <pid>)");
        return s.replace(/\((pid|process) \d+\)/g, "($1 <pid>)");
    }

    value(v: Json | undefined, key?: string): Json {
        if (v === undefined) return null;
        if (key === "__provider") return typeof v === "string" && v !== UNKNOWN ? "<provider>" : this.value(v);
        if (key === "sourcePosition" || key === "stackTrace") return "<source>";
        if (key === "created" || key === "modified") return "<time>";
        if (typeof v === "string") return this.text(v);
        if (key === "dependencies" && Array.isArray(v)) return v.map((x) => this.value(x)).sort();
        if (key === "propertyDependencies" && v !== null && typeof v === "object" && !Array.isArray(v)) {
            const out: JsonMap = {};
            for (const k of Object.keys(v).sort()) {
                const deps = v[k];
                const list = Array.isArray(deps)
                    ? deps
                    : (((deps as JsonMap | null)?.["urns"] as Json[] | undefined) ?? []);
                out[k] = list.map((x) => this.value(x)).sort();
            }
            return out;
        }
        if (Array.isArray(v)) return v.map((x) => this.value(x));
        if (v !== null && typeof v === "object") {
            if (v[SIGNATURE] === SECRET && typeof v["ciphertext"] === "string") return this.secret(v["ciphertext"]);
            const out: JsonMap = {};
            for (const k of Object.keys(v).sort())
                if (v[k] !== undefined)
                    out[k === UNKNOWN || k.startsWith("__") ? k : this.text(k)] = this.value(v[k], k);
            return out;
        }
        return v;
    }

    private secret(ciphertext: string): JsonMap {
        let plain: Json;
        try {
            plain = this.value(JSON.parse(this.decrypt()(ciphertext)) as Json);
        } catch {
            plain = "<undecryptable>";
        }
        if (typeof plain === "string" && plain.startsWith("<provider>")) plain = "<provider>";
        return { [SIGNATURE]: SECRET, ciphertext: "<ciphertext>", "<plaintext>": plain };
    }
}

/** Messages end at their first stack trace: what follows is the runtime's own dump. */
export function cutTrace(message: string): string {
    const i = message.indexOf("at <stack>");
    return i < 0 || message.slice(0, i).trim() === "" ? message : message.slice(0, i + "at <stack>".length);
}

/** Neighbouring `[remediate]` lines come in no particular order. */
export function sortRemediationLines(lines: readonly string[]): string[] {
    const out: string[] = [];
    let run: string[] = [];
    for (const l of lines) {
        if (/^\s+- \[remediate\]/.test(l)) {
            run.push(l);
            continue;
        }
        out.push(...run.sort(), l);
        run = [];
    }
    return [...out, ...run.sort()];
}

/** Blocks of a `Diagnostics:` section, and their paragraphs, come in no particular order. */
export function sortDiagnosticBlocks(lines: readonly string[]): string[] {
    const at = lines.indexOf("Diagnostics:");
    if (at < 0) return [...lines];
    let end = at + 1;
    while (end < lines.length && (lines[end] === "" || lines[end]?.startsWith(" "))) end++;
    const blocks: string[][] = [];
    for (const l of lines.slice(at + 1, end)) {
        if (/^ {2}\S.*\):$/.test(l) || blocks.length === 0) blocks.push([l]);
        else blocks[blocks.length - 1]?.push(l);
    }
    const sorted = blocks
        .map(([head = "", ...body]) => {
            const paragraphs = body
                .join("\n")
                .split(/\n\n+/)
                .map((t) => t.replace(/^\n+|\n+$/g, ""))
                .filter((t) => t !== "")
                .sort();
            return [head, ...paragraphs.join("\n\n").split("\n"), ""];
        })
        .sort((a, b) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1));
    return [...lines.slice(0, at + 1), ...sorted.flat(), ...sortDiagnosticBlocks(lines.slice(end))];
}
