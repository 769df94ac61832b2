/** The state that the engine keeps: the live object with the inputs and who wrote it beside. */
import { asSecret, containsSecret, isMap, markSecrets, plain, type Json, type JsonMap } from "./properties";

const keys = { inputs: "__inputs", initialApiVersion: "__initialApiVersion", fieldManager: "__fieldManager" } as const;

export interface Checkpoint {
    readonly inputs: JsonMap;
    readonly live: JsonMap;
    readonly initialApiVersion: string | undefined;
    readonly fieldManager: string | undefined;
}

/** Returns the state. Values that are secret in `inputs`, as the engine sent them, are secret in the state. */
export function toCheckpoint(
    inputs: JsonMap,
    live: JsonMap,
    from: JsonMap,
    initialApiVersion: string,
    fieldManager: string,
): JsonMap {
    const object = markSecrets(live, from);
    // The server turns a Secret's `stringData` into `data`, which markSecrets covers for the kind as a whole.
    const stringData = from["stringData"];
    if (object["data"] !== undefined && stringData !== undefined && containsSecret(stringData))
        object["data"] = asSecret(object["data"]);
    return {
        ...object,
        [keys.inputs]: markSecrets(inputs, from),
        [keys.initialApiVersion]: initialApiVersion,
        [keys.fieldManager]: fieldManager,
    };
}

export function fromCheckpoint(state: JsonMap): Checkpoint {
    const values = plain(state);
    const live = { ...values };
    for (const key of Object.values(keys)) delete live[key];
    const text = (value: Json | undefined): string | undefined => (typeof value === "string" ? value : undefined);
    const inputs = values[keys.inputs];
    return {
        inputs: isMap(inputs) ? inputs : {},
        live,
        initialApiVersion: text(values[keys.initialApiVersion]),
        fieldManager: text(values[keys.fieldManager]),
    };
}

/** The part of a live object that a program had set: what the server added is left out. */
export function prune(live: JsonMap, inputs: JsonMap): JsonMap {
    const result: JsonMap = {};
    for (const [name, value] of Object.entries(live)) {
        const input = inputs[name];
        if (input !== undefined) result[name] = pruneValue(value, input);
    }
    return result;
}

function pruneValue(value: Json, input: Json): Json {
    if (isMap(value) && isMap(input)) return prune(value, input);
    if (!Array.isArray(value) || !Array.isArray(input)) return value;
    if (value.length === 0 || input.length === 0) return [];
    if (kindOf(value[0]!) !== kindOf(input[0]!)) return value;
    return value.slice(0, input.length).map((element, i) => pruneValue(element, input[i]!));
}

const kindOf = (value: Json): string => (Array.isArray(value) ? "list" : value === null ? "null" : typeof value);
