import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import * as pb from "@pulumi/pulumi/proto/resource_pb";
import type { CallbackRef, Callbacks } from "../deploy";
import {
    decodeStruct,
    encodeStruct,
    OutputValue,
    outputDependencies,
    Secret,
    Unknown,
    type Value,
    type ValueMap,
} from "../value";

/** Options of a registration in the form in which transforms see and change them. */
export type TransformOptions = pb.TransformResourceOptions;

/** What a transform works on. */
export interface Transformed {
    properties: ValueMap;
    options: TransformOptions;
}

/** Secrets and unknowns as output values; the form in which transforms get them. */
function upgrade(v: Value): Value {
    if (v instanceof Secret) {
        const inner = upgrade(v.element);
        return inner instanceof OutputValue
            ? new OutputValue(inner.element, true, inner.dependencies)
            : new OutputValue(inner, true, []);
    }
    if (v instanceof Unknown) return new OutputValue(undefined, false, []);
    return v;
}

/** Adds what each property depends on to its value. */
export function withDependencies(
    properties: ValueMap,
    dependencies: Readonly<Record<string, readonly string[]>>,
): ValueMap {
    const out: ValueMap = {};
    for (const [k, raw] of Object.entries(properties)) {
        const v = upgrade(raw);
        const desired = dependencies[k] ?? [];
        const has = outputDependencies(v);
        if (desired.every((d) => has.has(d))) out[k] = v;
        else if (v instanceof OutputValue)
            out[k] = new OutputValue(v.element, v.secret, [...new Set([...v.dependencies, ...desired])]);
        else out[k] = new OutputValue(v, false, [...desired]);
    }
    return out;
}

/** Runs one transform. @throws Error with the reason if the program's function failed */
export async function runTransform(
    callbacks: Callbacks,
    ref: CallbackRef,
    r: { type: string; name: string; custom: boolean; parent: string },
    t: Transformed,
): Promise<Transformed> {
    const q = new pb.TransformRequest();
    q.setType(r.type);
    q.setName(r.name);
    q.setCustom(r.custom);
    q.setParent(r.parent);
    q.setProperties(encodeStruct(t.properties, { keepOutputs: true, keepSecrets: true, keepResources: true }));
    q.setOptions(t.options);
    let answer;
    try {
        answer = pb.TransformResponse.deserializeBinary(await callbacks.invoke(ref, q.serializeBinary()));
    } catch (e) {
        throw new Error(`invoke transform: ${(e as Error).message}`, { cause: e });
    }
    const properties = answer.getProperties();
    return {
        properties: properties ? decodeStruct(properties) : t.properties,
        options: answer.getOptions() ?? t.options,
    };
}

/** Runs one transform of function calls. */
export async function runInvokeTransform(
    callbacks: Callbacks,
    ref: CallbackRef,
    token: string,
    args: ValueMap,
    options: pb.TransformInvokeOptions,
): Promise<{ args: ValueMap; options: pb.TransformInvokeOptions }> {
    const q = new pb.TransformInvokeRequest();
    q.setToken(token);
    q.setArgs(encodeStruct(args, { keepOutputs: true, keepSecrets: true, keepResources: true }));
    q.setOptions(options);
    const answer = pb.TransformInvokeResponse.deserializeBinary(await callbacks.invoke(ref, q.serializeBinary()));
    const changed = answer.getArgs();
    return { args: changed ? decodeStruct(changed) : args, options: answer.getOptions() ?? options };
}

/** The options of a registration as a message for transforms. */
export function optionsOf(q: pb.RegisterResourceRequest): TransformOptions {
    const o = new pb.TransformResourceOptions();
    o.setDependsOnList(q.getDependenciesList());
    if (q.hasProtect()) o.setProtect(q.getProtect() === true);
    o.setIgnoreChangesList(q.getIgnorechangesList());
    o.setReplaceOnChangesList(q.getReplaceonchangesList());
    o.setVersion(q.getVersion());
    const urns = q.getAliasurnsList().map((u) => {
        const a = new Alias();
        a.setUrn(u);
        return a;
    });
    o.setAliasesList([...urns, ...q.getAliasesList()]);
    o.setProvider(q.getProvider());
    q.getProvidersMap().forEach((v: string, k: string) => o.getProvidersMap().set(k, v));
    o.setCustomTimeouts(q.getCustomtimeouts());
    o.setPluginDownloadUrl(q.getPlugindownloadurl());
    if (q.hasRetainondelete()) o.setRetainOnDelete(q.getRetainondelete() === true);
    o.setDeletedWith(q.getDeletedwith());
    if (q.getDeletebeforereplacedefined() || q.getDeletebeforereplace())
        o.setDeleteBeforeReplace(q.getDeletebeforereplace());
    o.setAdditionalSecretOutputsList(q.getAdditionalsecretoutputsList());
    o.setHooks(q.getHooks());
    o.setImport(q.getImportid());
    o.setHideDiffList(q.getHidediffsList());
    o.setReplaceWithList(q.getReplaceWithList());
    o.setReplacementTrigger(q.getReplacementTrigger());
    return o;
}
