import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { Callback } from "@pulumi/pulumi/proto/callback_pb";
import * as pb from "@pulumi/pulumi/proto/resource_pb";
import { newGoal, type AliasSpec, type CallbackRef, type Goal, type ReadEvent } from "../deploy";
import { isProviderType, type CustomTimeouts } from "../state";
import { decodeStruct, decodeValue, downgradeOutputs, mapValues, outputDependencies, type ValueMap } from "../value";
import { parseDuration } from "./duration";
import { positionText, stackFrames } from "./source";
import type { Transformed, TransformOptions } from "./transforms";

/** A function of the program that the engine may call. */
export const callbackRef = (c: Callback): CallbackRef => ({ target: c.getTarget(), token: c.getToken() });

/** Hook kinds in the order of the protocol. */
function hookNames(h: pb.RegisterResourceRequest.ResourceHooksBinding | undefined): Record<string, string[]> {
    if (!h) return {};
    const all: Record<string, string[]> = {
        BeforeCreate: h.getBeforeCreateList(),
        AfterCreate: h.getAfterCreateList(),
        BeforeUpdate: h.getBeforeUpdateList(),
        AfterUpdate: h.getAfterUpdateList(),
        BeforeDelete: h.getBeforeDeleteList(),
        AfterDelete: h.getAfterDeleteList(),
        OnError: h.getOnErrorList(),
    };
    return Object.fromEntries(Object.entries(all).filter(([, v]) => v.length > 0));
}

function aliasSpec(a: Alias): AliasSpec {
    const s = a.getSpec();
    if (!s) return { urn: a.getUrn() };
    return {
        name: s.getName(),
        type: s.getType(),
        parent: s.getParenturn(),
        noParent: s.getNoparent(),
        project: s.getProject(),
        stack: s.getStack(),
    };
}

function timeouts(t: pb.RegisterResourceRequest.CustomTimeouts | undefined): CustomTimeouts {
    const out: CustomTimeouts = {};
    if (t?.getCreate()) out.create = parseDuration(t.getCreate());
    if (t?.getUpdate()) out.update = parseDuration(t.getUpdate());
    if (t?.getDelete()) out.delete = parseDuration(t.getDelete());
    return out;
}

/** A map of the protocol as a map. */
export function mapOf(m: { forEach(f: (v: string, k: string) => void): void }): Map<string, string> {
    const out = new Map<string, string>();
    m.forEach((v, k) => out.set(k, v));
    return out;
}

/** Properties of a registration, and what they depend on. */
export interface Inputs {
    properties: ValueMap;
    /** URNs that the resource as a whole depends on. */
    dependencies: string[];
    propertyDependencies: Record<string, string[]>;
}

/** Inputs as the program gives them. Without dependencies by property, each property depends on everything. */
export function inputsOf(q: pb.RegisterResourceRequest): Inputs {
    const properties = decodeStruct(q.getObject());
    const dependencies = q.getDependenciesList();
    const propertyDependencies: Record<string, string[]> = {};
    q.getPropertydependenciesMap().forEach((v, k) => {
        propertyDependencies[k] = v.getUrnsList();
    });
    if (Object.keys(propertyDependencies).length === 0)
        for (const k of Object.keys(properties)) propertyDependencies[k] = [...dependencies];
    return { properties, dependencies, propertyDependencies };
}

/** Inputs with the dependencies that their values carry. */
export function withValueDependencies(i: Inputs): Inputs {
    const propertyDependencies = { ...i.propertyDependencies };
    for (const [k, v] of Object.entries(i.properties))
        propertyDependencies[k] = [...new Set([...(propertyDependencies[k] ?? []), ...outputDependencies(v)])];
    return { ...i, propertyDependencies };
}

/** Inputs as transforms have left them: values alone say what each property depends on. */
export function transformedInputs({ properties, options }: Transformed): Inputs {
    const propertyDependencies: Record<string, string[]> = {};
    const all = new Set(options.getDependsOnList());
    for (const [k, v] of Object.entries(properties)) {
        const deps = [...outputDependencies(v)];
        propertyDependencies[k] = deps;
        for (const d of deps) all.add(d);
    }
    return { properties, dependencies: [...all], propertyDependencies };
}

/**
 * The goal of a registration.
 * @param options its options, after transforms
 * @param provider reference of its provider; empty for components and providers
 * @param root folder of the project file, to which positions in the program are relative
 */
export function goalOf(
    q: pb.RegisterResourceRequest,
    inputs: Inputs,
    options: TransformOptions,
    provider: string,
    root: string,
): Goal {
    const type = q.getType();
    const properties = mapValues(inputs.properties, downgradeOutputs);
    if (isProviderType(type) && options.getVersion() !== "") properties["version"] = options.getVersion();
    const trigger = options.getReplacementTrigger();
    return newGoal({
        type,
        name: q.getName(),
        custom: q.getCustom(),
        parent: q.getParent(),
        provider,
        properties,
        propertyDependencies: inputs.propertyDependencies,
        importId: options.getImport(),
        protect: options.hasProtect() ? options.getProtect() === true : undefined,
        dependencies: [...new Set(inputs.dependencies)],
        deleteBeforeReplace: options.hasDeleteBeforeReplace() ? options.getDeleteBeforeReplace() === true : undefined,
        ignoreChanges: options.getIgnoreChangesList(),
        additionalSecretOutputs: options.getAdditionalSecretOutputsList(),
        aliases: options.getAliasesList().map(aliasSpec),
        customTimeouts: timeouts(options.getCustomTimeouts()),
        replaceOnChanges: options.getReplaceOnChangesList(),
        retainOnDelete: options.hasRetainOnDelete() ? options.getRetainOnDelete() === true : undefined,
        deletedWith: options.getDeletedWith(),
        replaceWith: options.getReplaceWithList(),
        replacementTrigger: trigger && downgradeOutputs(decodeValue(trigger)),
        hideDiff: options.getHideDiffList(),
        sourcePosition: positionText(q.getSourceposition(), root),
        stackTrace: stackFrames(q.getStacktrace(), root),
        resourceHooks: hookNames(options.getHooks()),
    });
}

/** A read as the engine takes it. The parameters mean what they do for a goal. */
export function readEventOf(
    q: pb.ReadResourceRequest,
    provider: string,
    root: string,
    done: ReadEvent["done"],
): ReadEvent {
    return {
        kind: "read",
        id: q.getId(),
        type: q.getType(),
        name: q.getName(),
        parent: q.getParent(),
        provider,
        properties: mapValues(decodeStruct(q.getProperties()), downgradeOutputs),
        dependencies: q.getDependenciesList(),
        additionalSecretOutputs: q.getAdditionalsecretoutputsList(),
        sourcePosition: positionText(q.getSourceposition(), root),
        stackTrace: stackFrames(q.getStacktrace(), root),
        done,
    };
}
