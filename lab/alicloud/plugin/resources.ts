/** Check, Diff, Create, Read, Update and Delete of any resource type. */
import type { Autonaming } from "../../plugin-server/autonaming";
import { InitError } from "../../plugin-server/provider";
import { autoName } from "../bridge/autoname";
import { detailedDiff, type Kind } from "../bridge/detailed-diff";
import { importedInputs, refreshedInputs, withoutConflicts } from "../bridge/extract";
import { checkReason } from "../bridge/failures";
import { ignoreChanges } from "../bridge/ignore-changes";
import { toAttributes, withoutReserved, type InputOptions } from "../bridge/inputs";
import { isSingle, pulumiName, terraformName } from "../bridge/names";
import { toProperties } from "../bridge/outputs";
import { defaultsKey, metaKey, withoutNulls, type PropertyMap } from "../bridge/properties";
import type { Client } from "../sdk/client";
import { asError, PluginPanic } from "../sdk/errors";
import { ResourceData } from "../terraform/data";
import { diffOf } from "../terraform/diff";
import { requiresReplacement, type Difference } from "../terraform/difference";
import type { SchemaMap } from "../terraform/schema";
import type { ValueMap } from "../terraform/value";
import { stateFromValues, timeoutsKey, valuesOf, type State } from "../terraform/state";
import { validate } from "../terraform/validate";
import type { ResourceType } from "../types/type";
import { toStruct } from "./structs";

export interface CheckRequest {
    readonly urn: string;
    readonly olds: PropertyMap;
    readonly news: PropertyMap;
    readonly seed: Uint8Array;
    readonly autonaming: Autonaming | undefined;
}

export interface CheckResult {
    readonly inputs: PropertyMap;
    readonly failures: string[];
    readonly warnings: string[];
}

const resourceName = (urn: string): string => urn.split("::").slice(3).join("::");

export function check(type: ResourceType, request: CheckRequest): CheckResult {
    const news = withoutNulls(request.news);
    const options: InputOptions = {
        defaults: true,
        autoName: () => autoName(resourceName(request.urn), request.seed, request.autonaming),
    };
    const given = toAttributes(request.olds, news, type.schema, options);
    const findings = validate(withoutReserved(given) as ValueMap, type.schema);
    const warnings = [...findings.warnings, ...(type.deprecated === undefined ? [] : [type.deprecated])];
    const inputs = toAttributes(request.olds, news, type.schema, { ...options, schemaDefaults: true });
    return {
        inputs: toProperties(inputs, type.schema),
        failures: findings.errors.map((text) => checkReason(text, resourceName(request.urn), type.schema)),
        warnings: warnings.map((text) => `${request.urn} verification warning: ${text}`),
    };
}

const configOf = (olds: PropertyMap | undefined, news: PropertyMap, schema: SchemaMap): ValueMap =>
    withoutReserved(toAttributes(olds, news, schema)) as ValueMap;

function stateOf(type: ResourceType, id: string, properties: PropertyMap): State {
    const meta = properties[metaKey];
    const parsed = typeof meta === "string" ? (JSON.parse(meta) as Record<string, unknown>) : undefined;
    return stateFromValues(id, toAttributes(undefined, withoutNulls(properties), type.schema), parsed, type.schema);
}

export interface DiffResult {
    readonly changed: boolean;
    readonly replaces: string[];
    readonly stables: string[];
    readonly deleteBeforeReplace: boolean;
    readonly diffs: string[];
    readonly detailed: ReadonlyMap<string, Kind>;
}

export function diff(
    type: ResourceType,
    id: string,
    oldProperties: PropertyMap,
    news: PropertyMap,
    ignored: readonly string[],
): DiffResult {
    const { schema } = type;
    const olds = withoutNulls(oldProperties);
    const difference = diffOf(schema, stateOf(type, id, olds), configOf(olds, news, schema));
    ignoreChanges(difference, ignored, olds, news, schema);
    const { kinds, collections } = detailedDiff(olds, news, difference, schema);
    let changed = kinds.size > 0 || difference.attributes.size > 0;
    if (changed) for (const [path, kind] of collections) kinds.set(path, kind);
    const replaces: string[] = [];
    const diffs = new Set<string>();
    for (const [path, kind] of changed ? kinds : []) {
        const property = path.split(/[.[]/)[0]!;
        diffs.add(property);
        if (kind.endsWith("_REPLACE")) replaces.push(property);
    }
    const stables = Object.entries(schema)
        .filter(([, attribute]) => attribute.forceNew)
        .map(([name, attribute]) => pulumiName(name, attribute))
        .filter((property) => !replaces.includes(property));
    changed ||= hasWrongShape(olds, schema);
    return {
        changed,
        replaces: replaces.sort(),
        stables: stables.sort(),
        diffs: [...diffs].sort(),
        detailed: kinds,
        deleteBeforeReplace: replaces.length > 0 && keepsGivenName(news, schema),
    };
}

/** Reports whether the old object must go first, because two objects cannot have the same explicit name at once. */
function keepsGivenName(news: PropertyMap, schema: SchemaMap): boolean {
    const defaults = news[defaultsKey];
    return Array.isArray(defaults) && hasAutoName(schema) && "name" in news && !defaults.includes("name");
}

/** Types with a text input `name` are named automatically unless that input is deprecated. */
const hasAutoName = (schema: SchemaMap): boolean => {
    const name = schema["name"];
    return name?.type === "string" && (name.optional === true || name.required === true);
};

/** Reports whether the state is of an older version that held a list where there is now an object. */
const hasWrongShape = (olds: PropertyMap, schema: SchemaMap): boolean =>
    Object.entries(olds).some(
        ([property, value]) => Array.isArray(value) && isSingle(schema[terraformName(property, schema)]),
    );

/** Sets the limits of an operation to those of the type, overridden by the program's limit in seconds. */
function withTimeouts(
    type: ResourceType,
    difference: Difference,
    operation: "create" | "update" | "delete",
    seconds: number,
): Difference {
    const timeouts: Record<string, number> = {};
    for (const [name, limit] of Object.entries(type.timeouts ?? {})) timeouts[name] = limit * 1e9;
    if (seconds > 0) timeouts[operation] = seconds * 1e9;
    return Object.keys(timeouts).length === 0 ? difference : { ...difference, timeouts };
}

function propertiesOf(type: ResourceType, state: State | undefined, plan?: Difference): PropertyMap {
    const properties = toProperties(valuesOf(state, plan, type.schema), type.schema);
    if (state?.meta !== undefined && Object.keys(state.meta).length > 0)
        properties[metaKey] = JSON.stringify(sortedMeta(state.meta));
    return properties;
}

const sortedMeta = (meta: Readonly<Record<string, unknown>>): unknown =>
    Object.fromEntries(
        Object.entries(meta).map(([key, value]) => [
            key,
            key === timeoutsKey
                ? Object.fromEntries(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)))
                : value,
        ]),
    );

export interface Created {
    readonly id: string;
    readonly properties: PropertyMap;
}

export async function create(
    type: ResourceType,
    urn: string,
    inputs: PropertyMap,
    timeout: number,
    client: Client | undefined,
): Promise<Created> {
    const config = configOf(undefined, withoutNulls(inputs), type.schema);
    const plan = withTimeouts(type, diffOf(type.schema, undefined, config), "create", timeout);
    if (client === undefined) return { id: "", properties: propertiesOf(type, undefined, plan) };
    const data = new ResourceData(type.schema, { difference: plan });
    data.markNew();
    const failure = await attempt(() => type.create(data, client));
    const state = data.toState();
    if (state === undefined)
        throw failure ?? new Error(`expected non-nil error with nil state during Create of ${urn}`);
    const properties = propertiesOf(type, state);
    if (failure !== undefined)
        throw new InitError(state.id, toStruct(properties), `creating ${urn}: ${failure.message}`);
    return { id: state.id, properties };
}

async function attempt(operation: () => Promise<void>): Promise<Error | undefined> {
    try {
        await operation();
        return undefined;
    } catch (error) {
        if (error instanceof PluginPanic) throw error;
        return asError(error);
    }
}

export interface UpdateRequest {
    readonly id: string;
    readonly urn: string;
    readonly olds: PropertyMap;
    readonly news: PropertyMap;
    readonly ignored: readonly string[];
    readonly timeout: number;
}

export async function update(
    type: ResourceType,
    request: UpdateRequest,
    client: Client | undefined,
): Promise<PropertyMap> {
    const { urn } = request;
    const olds = withoutNulls(request.olds);
    const old = stateOf(type, request.id, olds);
    const difference = diffOf(type.schema, old, configOf(olds, request.news, type.schema));
    ignoreChanges(difference, request.ignored, olds, request.news, type.schema);
    if (requiresReplacement(difference)) {
        throw new Error(
            `internal: expected diff to not require deletion or replacement during Update of ${urn}. ` +
                "Found delete=false, replace=true. This indicates a bug in provider.",
        );
    }
    const plan = withTimeouts(type, difference, "update", request.timeout);
    if (client === undefined) return propertiesOf(type, old, plan);
    if (type.update === undefined)
        throw new InitError(old.id, toStruct(propertiesOf(type, old)), `updating ${urn}: doesn't support update`);
    const data = new ResourceData(type.schema, { state: old, difference: plan });
    const failure = await attempt(() => type.update!(data, client));
    const state = data.toState();
    if (state === undefined) {
        throw (
            failure ??
            new Error(
                `Resource provider reported that the resource did not exist while updating ${urn}.\n\n` +
                    "This is usually a result of the resource having been deleted outside of Pulumi, " +
                    "and can often be fixed by running `pulumi refresh` before updating.",
            )
        );
    }
    const properties = propertiesOf(type, state);
    if (failure !== undefined)
        throw new InitError(state.id, toStruct(properties), `updating ${urn}: ${failure.message}`);
    return properties;
}

export interface ReadResult {
    readonly id: string;
    readonly properties: PropertyMap;
    readonly inputs: PropertyMap;
}

/**
 * Reads an object, or imports it if there are no old properties. It returns `undefined` when there is no such object.
 */
export async function read(
    type: ResourceType,
    urn: string,
    id: string,
    properties: PropertyMap,
    oldInputs: PropertyMap,
    client: Client,
): Promise<ReadResult | undefined> {
    const isRefresh = Object.keys(properties).length > 0;
    const old = isRefresh ? stateOf(type, id, properties) : importedState(type, id);
    if (id === "") return undefined;
    const data = new ResourceData(type.schema, { state: old });
    const failure = await attempt(() => type.read(data, client));
    if (failure !== undefined) throw new Error(`refreshing ${urn}: ${failure.message}`);
    const state = data.toState();
    if (state === undefined) return undefined;
    const outputs = propertiesOf(type, state);
    const inputs = isRefresh ? refreshedInputs(oldInputs, outputs, type.schema) : importedInputs(outputs, type.schema);
    const kept = withoutConflicts(inputs, type.schema);
    return { id: state.id, properties: outputs, inputs: isRefresh ? kept : withoutRefused(kept, type.schema) };
}

/** Inputs for an import, without those that a check would refuse as a conflict, as far as the cloud can supply them. */
function withoutRefused(inputs: PropertyMap, schema: SchemaMap): PropertyMap {
    const config = configOf(undefined, inputs, schema);
    const result = { ...inputs };
    for (const text of validate(config, schema).errors) {
        const name = /^"([^".]+)": conflicts with/.exec(text)?.[1];
        const attribute = name === undefined ? undefined : schema[name];
        if (name !== undefined && attribute?.optional && attribute.computed) delete result[pulumiName(name, attribute)];
    }
    return result;
}

function importedState(type: ResourceType, id: string): State {
    const { timeouts } = withTimeouts(type, { attributes: new Map() }, "delete", 0);
    return {
        id,
        attributes: new Map([["id", id]]),
        meta: timeouts === undefined ? undefined : { [timeoutsKey]: timeouts },
    };
}

export async function remove(
    type: ResourceType,
    urn: string,
    id: string,
    properties: PropertyMap,
    timeout: number,
    client: Client,
): Promise<void> {
    const state = stateOf(type, id, properties);
    const plan = withTimeouts(type, { attributes: new Map() }, "delete", timeout);
    const data = new ResourceData(type.schema, plan.timeouts === undefined ? { state } : { state, difference: plan });
    const failure = await attempt(() => type.delete(data, client));
    if (failure !== undefined) throw new Error(`deleting ${urn}: ${failure.message}`);
}
