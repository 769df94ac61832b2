import type { Crypter } from "../secrets";
import {
    isMap,
    mapValues,
    OutputValue,
    Secret,
    SECRET_SIGNATURE,
    SIGNATURE_KEY,
    UNKNOWN,
    Unknown,
    UNKNOWN_TEXT,
    type Value,
    type ValueMap,
} from "../value";
import { newState, type PendingOperation, type ResourceState } from "./resource";

type Json = null | boolean | number | string | Json[] | { [k: string]: Json };
export type JsonMap = { [k: string]: Json };

/** Ciphertexts of secrets already met in this process, so that unchanged secrets are not encrypted again. */
const ciphertexts = new WeakMap<Secret, { crypter: Crypter; text: string }>();

/** Turns a value into its form in a checkpoint; secrets are encrypted, or left in clear if `crypter` is undefined. */
export function serializeValue(v: Value, crypter: Crypter | undefined): Json {
    if (v instanceof Secret) {
        const plain = JSON.stringify(serializeValue(v.element, undefined));
        if (!crypter) return { [SIGNATURE_KEY]: SECRET_SIGNATURE, plaintext: plain };
        let known = ciphertexts.get(v);
        if (!known || known.crypter !== crypter) {
            known = { crypter, text: crypter.encrypt(plain) };
            ciphertexts.set(v, known);
        }
        return { [SIGNATURE_KEY]: SECRET_SIGNATURE, ciphertext: known.text };
    }
    if (v instanceof Unknown) return UNKNOWN_TEXT;
    if (v instanceof OutputValue)
        return serializeValue(v.secret ? new Secret(v.element ?? UNKNOWN) : (v.element ?? UNKNOWN), crypter);
    if (Array.isArray(v)) return v.map((e) => serializeValue(e, crypter));
    if (isMap(v)) return serializeMap(v, crypter);
    return v;
}

/** {@link serializeValue} for maps; keys are sorted as the real CLI writes them. */
export function serializeMap(m: ValueMap, crypter: Crypter | undefined): JsonMap {
    const r: JsonMap = {};
    for (const k of Object.keys(m).sort()) r[k] = serializeValue(m[k] as Value, crypter);
    return r;
}

/** Reads a value from a checkpoint. @throws Error if a secret cannot be decrypted. */
export function deserializeValue(j: Json, crypter: Crypter | undefined): Value {
    if (j === UNKNOWN_TEXT) return UNKNOWN;
    if (Array.isArray(j)) return j.map((e) => deserializeValue(e, crypter));
    if (j !== null && typeof j === "object") {
        if (j[SIGNATURE_KEY] === SECRET_SIGNATURE) {
            if (typeof j["ciphertext"] === "string") {
                if (!crypter)
                    throw new Error("the state contains secrets, but there is no secrets provider to read them with");
                const s = new Secret(deserializeValue(JSON.parse(crypter.decrypt(j["ciphertext"])) as Json, undefined));
                ciphertexts.set(s, { crypter, text: j["ciphertext"] });
                return s;
            }
            return new Secret(deserializeValue(JSON.parse(String(j["plaintext"] ?? "null")) as Json, undefined));
        }
        return deserializeMap(j, crypter);
    }
    return j;
}

/** {@link deserializeValue} for maps. */
export function deserializeMap(j: JsonMap, crypter: Crypter | undefined): ValueMap {
    return mapValues(j, (v) => deserializeValue(v as unknown as Json, crypter));
}

/** One resource in checkpoint form, fields in the order the real CLI writes them, empty ones left out. */
export function serializeResource(s: ResourceState, crypter: Crypter | undefined): JsonMap {
    const r: JsonMap = { urn: s.urn, custom: s.custom };
    const put = (key: string, v: Json | undefined, present: boolean) => {
        if (present && v !== undefined) r[key] = v;
    };
    const list = (key: string, v: readonly string[]) => put(key, [...v], v.length > 0);
    const text = (key: string, v: string) => put(key, v, v !== "");
    const flag = (key: string, v: boolean) => put(key, true, v);
    const map = (key: string, v: ValueMap) => put(key, serializeMap(v, crypter), Object.keys(v).length > 0);
    flag("delete", s.delete);
    text("id", s.id);
    r["type"] = s.type;
    map("inputs", s.inputs);
    map("outputs", s.outputs);
    text("parent", s.parent);
    flag("protect", s.protect);
    flag("taint", s.taint);
    flag("external", s.external);
    list("dependencies", s.dependencies);
    list("initErrors", s.initErrors);
    text("provider", s.provider);
    put("propertyDependencies", s.propertyDependencies, Object.keys(s.propertyDependencies).length > 0);
    flag("pendingReplacement", s.pendingReplacement);
    list("additionalSecretOutputs", s.additionalSecretOutputs);
    list("aliases", s.aliases);
    put("customTimeouts", { ...s.customTimeouts }, Object.keys(s.customTimeouts).length > 0);
    text("importID", s.importID);
    flag("retainOnDelete", s.retainOnDelete);
    text("deletedWith", s.deletedWith);
    list("replaceWith", s.replaceWith);
    put("created", s.created, s.created !== undefined);
    put("modified", s.modified, s.modified !== undefined);
    text("sourcePosition", s.sourcePosition);
    put(
        "stackTrace",
        s.stackTrace.map((f) => ({ ...f })),
        s.stackTrace.length > 0,
    );
    list("ignoreChanges", s.ignoreChanges);
    list("hideDiff", s.hideDiff);
    list("replaceOnChanges", s.replaceOnChanges);
    if (s.replacementTrigger !== undefined) r["replacementTrigger"] = serializeValue(s.replacementTrigger, crypter);
    flag("refreshBeforeUpdate", s.refreshBeforeUpdate);
    put("resourceHooks", s.resourceHooks, Object.keys(s.resourceHooks).length > 0);
    return r;
}

/** Reads one resource from checkpoint form. */
export function deserializeResource(j: JsonMap, crypter: Crypter | undefined): ResourceState {
    const text = (k: string) => (typeof j[k] === "string" ? j[k] : "");
    const list = (k: string) => (Array.isArray(j[k]) ? (j[k] as string[]).slice() : []);
    const map = (k: string) => (j[k] ? deserializeMap(j[k] as JsonMap, crypter) : {});
    return newState({
        urn: text("urn"),
        type: text("type"),
        custom: j["custom"] === true,
        delete: j["delete"] === true,
        id: text("id"),
        inputs: map("inputs"),
        outputs: map("outputs"),
        parent: text("parent"),
        protect: j["protect"] === true,
        taint: j["taint"] === true,
        external: j["external"] === true,
        dependencies: list("dependencies"),
        initErrors: list("initErrors"),
        provider: text("provider"),
        propertyDependencies: Object.fromEntries(
            Object.entries((j["propertyDependencies"] ?? {}) as Record<string, string[] | null>).map(([k, v]) => [
                k,
                v ?? [],
            ]),
        ),
        pendingReplacement: j["pendingReplacement"] === true,
        additionalSecretOutputs: list("additionalSecretOutputs"),
        aliases: list("aliases"),
        customTimeouts: Object.fromEntries(
            Object.entries((j["customTimeouts"] ?? {}) as Record<string, number>).filter(([, v]) => v > 0),
        ),
        importID: text("importID"),
        retainOnDelete: j["retainOnDelete"] === true,
        deletedWith: text("deletedWith"),
        replaceWith: list("replaceWith"),
        created: text("created") || undefined,
        modified: text("modified") || undefined,
        sourcePosition: text("sourcePosition"),
        stackTrace: Array.isArray(j["stackTrace"]) ? (j["stackTrace"] as { sourcePosition?: string }[]) : [],
        ignoreChanges: list("ignoreChanges"),
        hideDiff: list("hideDiff"),
        replaceOnChanges: list("replaceOnChanges"),
        replacementTrigger:
            j["replacementTrigger"] === undefined ? undefined : deserializeValue(j["replacementTrigger"], crypter),
        refreshBeforeUpdate: j["refreshBeforeUpdate"] === true,
        resourceHooks: (j["resourceHooks"] ?? {}) as Record<string, string[]>,
    });
}

/** Reads a pending operation. */
export function deserializeOperation(j: JsonMap, crypter: Crypter | undefined): PendingOperation {
    return {
        resource: deserializeResource(j["resource"] as JsonMap, crypter),
        type: j["type"] as PendingOperation["type"],
    };
}
