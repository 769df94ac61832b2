import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Document, parseDocument } from "yaml";
import { writeAtomic } from "../backend";
import type { Crypter } from "../secrets";
import { parsePath, type PathElement } from "../value";
import type { Project } from "./project";

/** A configuration value as stored: text, number, boolean, structure, or `{secure: <ciphertext>}` at any place. */
export type ConfigNode = null | string | number | boolean | ConfigNode[] | { [k: string]: ConfigNode };

/** One configuration value with its secrets decrypted. */
export interface ConfigValue {
    /** The text programs and providers get; structures as JSON. */
    text: string;
    secret: boolean;
    /** True for structures (maps and lists). */
    object: boolean;
}
export type Config = Map<string, ConfigValue>;

/** The settings file of a stack (Pulumi.<stack>.yaml). */
export class StackSettings {
    private readonly doc: Document;

    constructor(readonly file: string) {
        // What YAML 1.1 reads as something else than text is quoted, as the real CLI quotes it.
        const options = { compat: "yaml-1.1" } as const;
        this.doc = existsSync(file) ? parseDocument(readFileSync(file, "utf8"), options) : new Document({}, options);
        if (this.doc.contents === null) this.doc.contents = new Document({}).contents;
    }

    get salt(): string | undefined {
        const v: unknown = this.doc.get("encryptionsalt");
        return typeof v === "string" ? v : undefined;
    }
    set salt(v: string | undefined) {
        if (v === undefined) this.doc.delete("encryptionsalt");
        else this.doc.set("encryptionsalt", v);
    }

    /** All values as stored, by full key. */
    entries(): Record<string, ConfigNode> {
        const all = this.doc.toJS() as { config?: Record<string, ConfigNode> } | null;
        return all?.config ?? {};
    }

    set(key: string, value: ConfigNode): void {
        if (!this.doc.has("config")) this.doc.set("config", this.doc.createNode({}));
        this.doc.setIn(["config", key], this.doc.createNode(value));
    }

    /**
     * Stores a value as `config set` does. A text stays one at the top; below, where `byPath` leads, texts that are truth
     * values or whole numbers become such.
     */
    store(project: string, key: string, byPath: boolean, value: ConfigNode): void {
        if (!byPath) return this.set(fullKey(key, project), value);
        const { key: full, path } = splitPathKey(key, project);
        this.setPath(full, path, path.length > 0 && typeof value === "string" ? adjusted(value) : value);
    }

    /** Sets a value inside a structure. */
    setPath(key: string, path: readonly PathElement[], value: ConfigNode): void {
        const whole = this.entries()[key];
        this.set(key, setAt(whole, path, value));
    }

    remove(key: string, path: readonly PathElement[] = []): void {
        if (path.length === 0) this.doc.deleteIn(["config", key]);
        else this.set(key, removeAt(this.entries()[key] ?? null, path));
        if (Object.keys(this.entries()).length === 0) this.doc.delete("config");
    }

    /** Removes the file. */
    erase(): void {
        rmSync(this.file, { force: true });
    }

    save(): void {
        const js = this.doc.toJS() as object | null;
        if (!js || Object.keys(js).length === 0) {
            if (existsSync(this.file)) writeAtomic(this.file, "");
            return;
        }
        writeAtomic(this.file, this.doc.toString({ lineWidth: 0 }));
    }
}

/** A text inside a structure as the type it looks like. A text with leading zeros is no number. */
function adjusted(text: string): ConfigNode {
    if (text === "true" || text === "false") return text === "true";
    if (text.length > 1 && text.startsWith("0")) return text;
    return wholeNumber(text) ?? text;
}

function wholeNumber(text: string): number | undefined {
    const n = /^[+-]?\d+$/.test(text) ? Number(text) : NaN;
    return Number.isSafeInteger(n) ? n + 0 : undefined;
}

/** A text as a value of the type that `config set --type` names. @throws Error if it is none */
export function typedValue(text: string, type: string): ConfigNode {
    let value: ConfigNode | undefined;
    if (type === "string") value = text;
    else if (type === "int") value = wholeNumber(text);
    else if (type === "bool") value = text === "true" ? true : text === "false" ? false : undefined;
    else if (type === "float")
        value = text.trim() === text && text !== "" && isFinite(Number(text)) ? Number(text) : undefined;
    else throw new Error(`invalid type "${type}"; must be one of string, int, bool, or float`);
    if (value === undefined) throw new Error(`could not set config: "${text}" is not a value of type ${type}`);
    return value;
}

function setAt(node: ConfigNode | undefined, path: readonly PathElement[], value: ConfigNode): ConfigNode {
    const key = path[0];
    if (key === undefined) return value;
    const rest = path.slice(1);
    if (typeof key === "number") {
        const list = Array.isArray(node) ? node.slice() : [];
        if (key > list.length) throw new Error(`array index ${key} out of range`);
        list[key] = setAt(list[key], rest, value);
        return list;
    }
    const map = node !== null && typeof node === "object" && !Array.isArray(node) ? { ...node } : {};
    map[key] = setAt(map[key], rest, value);
    return map;
}

function removeAt(node: ConfigNode, path: readonly PathElement[]): ConfigNode {
    const [key, ...rest] = path;
    if (Array.isArray(node) && typeof key === "number") {
        return rest.length === 0
            ? node.filter((_, i) => i !== key)
            : node.map((e, i) => (i === key ? removeAt(e, rest) : e));
    }
    if (node !== null && typeof node === "object" && !Array.isArray(node) && typeof key === "string" && key in node) {
        const copy = { ...node };
        if (rest.length === 0) delete copy[key];
        else copy[key] = removeAt(copy[key] as ConfigNode, rest);
        return copy;
    }
    return node;
}

/** Path of a stack's settings file, or the one given by `--config-file`. */
export function settingsFile(p: Project, stack: string, given: string | undefined): string {
    return given ?? join(p.root, p.stackConfigDir ?? "", `Pulumi.${stack}.yaml`);
}

/** `key` with its namespace; without one it belongs to the project. */
export function fullKey(key: string, project: string): string {
    const parts = key.split(":");
    if (parts.length === 1) return `${project}:${key}`;
    if (parts.length === 3 && parts[1] === "config") return `${parts[0]}:${parts[2]}`;
    return key;
}

/** Splits `a:b.c[0]` of `--path` into the key `a:b` and the path inside it. */
export function splitPathKey(key: string, project: string): { key: string; path: PathElement[] } {
    const colon = key.indexOf(":");
    const namespace = colon < 0 ? project : key.slice(0, colon);
    const path = parsePath(colon < 0 ? key : key.slice(colon + 1));
    const first = path[0];
    if (typeof first !== "string") throw new Error(`invalid configuration path ${key}`);
    return { key: `${namespace}:${first}`, path: path.slice(1) };
}

/** True for `{secure: <text>}`. */
export function isSecure(n: ConfigNode): n is { secure: string } {
    return (
        n !== null &&
        typeof n === "object" &&
        !Array.isArray(n) &&
        Object.keys(n).length === 1 &&
        typeof n["secure"] === "string"
    );
}

function reveal(n: ConfigNode, crypter: Crypter): { plain: ConfigNode; secret: boolean } {
    if (isSecure(n)) return { plain: crypter.decrypt(n.secure), secret: true };
    if (Array.isArray(n)) {
        const parts = n.map((e) => reveal(e, crypter));
        return { plain: parts.map((p) => p.plain), secret: parts.some((p) => p.secret) };
    }
    if (n !== null && typeof n === "object") {
        let secret = false;
        const plain: { [k: string]: ConfigNode } = {};
        for (const [k, v] of Object.entries(n)) {
            const r = reveal(v, crypter);
            plain[k] = r.plain;
            secret = secret || r.secret;
        }
        return { plain, secret };
    }
    return { plain: n, secret: false };
}

/** A stored value with its secrets decrypted. */
export function decryptNode(n: ConfigNode, crypter: Crypter): ConfigValue {
    const { plain, secret } = reveal(n, crypter);
    const object = plain !== null && typeof plain === "object";
    return { text: object ? JSON.stringify(plain) : plain === null ? "" : String(plain), secret, object };
}

/**
 * The configuration of a run: what the stack sets, plus defaults and values of the project file.
 * @throws Error if the project declares a key without default that the stack does not set
 */
export function effectiveConfig(p: Project, stack: string, settings: StackSettings, crypter: Crypter): Config {
    const out: Config = new Map();
    for (const [k, v] of Object.entries(settings.entries())) out.set(fullKey(k, p.name), decryptNode(v, crypter));
    const missing: string[] = [];
    for (const [k, e] of Object.entries(p.config)) {
        const key = fullKey(k, p.name);
        const given = e.value !== undefined ? e.value : e.default;
        if (out.has(key)) continue;
        if (given !== undefined)
            out.set(key, { ...decryptNode(given as ConfigNode, crypter), ...(e.secret ? { secret: true } : {}) });
        else if (key.startsWith(`${p.name}:`)) missing.push(key.slice(p.name.length + 1));
    }
    if (missing.length > 0) {
        const names = missing.map((m) => `'${m}'`);
        const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
        throw new Error(`Stack '${stack}' is missing configuration value${names.length > 1 ? "s" : ""} ${list}`);
    }
    return new Map([...out].sort(([a], [b]) => (a < b ? -1 : 1)));
}
