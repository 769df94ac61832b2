/**
 * Outputs for fields that are processed as plain text: names, the cluster's id, the region.
 *
 * Reading, checking and building use a placeholder; registering a resource replaces it by the value. A preview shows
 * the whole structure with those values as unknown.
 */
import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { type Diagnostic, type FieldPath, formatDiagnostics } from "../../provider/diagnostics";
import { perRun } from "./run";

/** Placeholder that is valid as DNS label, port name and id. */
const PLACEHOLDER = /out-[0-9a-f]{10}(?![0-9a-f])/g;

type Value = string | number;

interface GivenOutput {
    /** Name for messages. */
    readonly field: string;
    readonly value: pulumi.Output<Value>;
    /** Set once the engine has resolved the Output. */
    settled?: Value;
}

/** Outputs of a run by their placeholders. */
const given = perRun(() => new Map<string, GivenOutput>());

/**
 * Returns a plain value, or the placeholder of an Output.
 *
 * @param scope owner of the field, unique in the program: placeholders are the same in every run
 */
export function placeholderFor(scope: string, field: string, value: pulumi.Input<string>): string {
    if (!isOutput(value)) return value;
    return note(scope, field, pulumi.output(value));
}

function note(scope: string, field: string, value: pulumi.Output<Value>): string {
    const entry: GivenOutput = { field, value };
    // Counts components of one name under different parents.
    for (let count = 1; ; count++) {
        const digest = createHash("sha256").update(`${scope} ${field} ${count}`).digest("hex");
        const placeholder = `out-${digest.slice(0, 10)}`;
        if (!given().has(placeholder)) {
            given().set(placeholder, entry);
            value.apply((known) => {
                entry.settled = known;
            });
            return placeholder;
        }
    }
}

/** Returns the placeholder of a port's number or name. */
export function portPlaceholder(scope: string, field: string, value: unknown): string {
    return note(scope, field, pulumi.output(value as pulumi.Input<Value>));
}

/** True if the value is only known once the engine has resolved it. */
export function isOutput(value: unknown): value is pulumi.Output<unknown> | Promise<unknown> {
    return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** Outputs whose placeholders are in some plain data. */
export class GivenOutputs {
    readonly #entries: ReadonlyMap<string, GivenOutput>;

    /** @param entries Outputs to search for. Default: all of this run */
    constructor(data: unknown, entries: ReadonlyMap<string, GivenOutput> = given()) {
        // Most programs have none: skip the search.
        const text = entries.size === 0 ? "" : JSON.stringify([data]);
        this.#entries = new Map(
            (text.match(PLACEHOLDER) ?? []).flatMap((placeholder) => {
                const entry = entries.get(placeholder);
                return entry === undefined ? [] : [[placeholder, entry] as const];
            }),
        );
    }

    get none(): boolean {
        return this.#entries.size === 0;
    }

    /** Fields that are unknown in this preview. */
    async unknownFields(): Promise<string[]> {
        const fields = [...this.#entries.values()].map(async ({ field, value }) =>
            (await isKnownOutput(value)) ? [] : [field],
        );
        return (await Promise.all(fields)).flat();
    }

    /** Fields whose Outputs resolve to no value. */
    get valueless(): pulumi.Output<string[]> {
        const entries = [...this.#entries.values()];
        return pulumi
            .all(entries.map(({ value }) => value))
            .apply((values) => entries.filter((_, index) => (values[index] ?? "") === "").map(({ field }) => field));
    }

    /**
     * Fills in resolved values, for calls after a resource with them is registered.
     *
     * @throws Error if a value is not resolved yet
     */
    settled<Data>(data: Data): Data {
        const known = [...this.#entries].map(([placeholder, { field, settled }]) => {
            if (settled === undefined) throw new Error(`${field} is not known yet`);
            return [placeholder, settled] as const;
        });
        return fillIn(data, new Map(known));
    }

    /** Fills in the values; the result is unknown if one of them is. */
    fill<Data>(data: Data): pulumi.Output<Data> {
        const placeholders = [...this.#entries.keys()];
        return pulumi.all([...this.#entries.values()].map(({ value }) => value)).apply((values) => {
            const known = new Map(placeholders.map((placeholder, index) => [placeholder, values[index] as Value]));
            return fillIn(data, known);
        });
    }

    /** Fills in the values of a resource's inputs, separately for each text and Output. */
    fillInputs(inputs: unknown): unknown {
        if (this.none) return inputs;
        return replaced(
            inputs,
            (text) => this.#fillWhereNeeded(text),
            (value) =>
                (pulumi.output(value) as pulumi.Output<unknown>).apply((known: unknown) =>
                    this.#fillWhereNeeded(known),
                ),
        );
    }

    /** Keeps a value without placeholders known. */
    #fillWhereNeeded(value: unknown): unknown {
        const outputs = new GivenOutputs(value, this.#entries);
        return outputs.none ? value : outputs.fill(value);
    }

    /** Adds a transformation that fills in the values in the inputs of all children. */
    transform(opts: pulumi.ComponentResourceOptions | undefined): pulumi.ComponentResourceOptions | undefined {
        if (this.none) return opts;
        const fill: pulumi.ResourceTransformation = ({ props, opts: own }) => ({
            // The code of a dynamic provider must be known in a preview.
            props: Object.fromEntries(
                Object.entries(props as object).map(([key, value]) => [
                    key,
                    key === "__provider" ? value : this.fillInputs(value),
                ]),
            ),
            opts: own,
        });
        return { ...opts, transformations: [...(opts?.transformations ?? []), fill] };
    }
}

/** Members of an Output that the SDK's types hide. */
const insideOf = <Value>(value: pulumi.Output<Value>) =>
    value as unknown as {
        readonly isKnown: Promise<boolean>;
        readonly isSecret: Promise<boolean>;
        promise(): Promise<Value>;
    };

/** True if the value is known in this preview. */
export function isKnownOutput(value: pulumi.Output<unknown>): Promise<boolean> {
    return insideOf(value).isKnown;
}

/** Resolves an Output that is known, see {@link isKnownOutput}. */
export function promiseOf<Value>(value: pulumi.Output<Value>): Promise<Value> {
    return insideOf(value).promise();
}

/** Prevents an unhandled rejection of an exported Output that fails before the SDK takes it over. */
export function exported<Value>(value: pulumi.Output<Value>): pulumi.Output<Value> {
    const { isKnown, isSecret } = insideOf(value);
    for (const part of [isKnown, isSecret]) part.catch(() => undefined);
    return value;
}

/** Replaces the texts in plain data, and its Outputs if `output` is given. */
function replaced(data: unknown, text: (value: string) => unknown, output?: (value: unknown) => unknown): unknown {
    if (typeof data === "string") return text(data);
    if (isOutput(data)) return output === undefined ? data : output(data);
    if (Array.isArray(data)) return data.map((item) => replaced(item, text, output));
    if (typeof data !== "object" || data === null || Object.getPrototypeOf(data) !== Object.prototype) return data;
    return Object.fromEntries(Object.entries(data).map(([key, item]) => [key, replaced(item, text, output)]));
}

function fillIn<Data>(data: Data, known: ReadonlyMap<string, Value>): Data {
    return replaced(data, (text) => replaceAll(text, known)) as Data;
}

/** Replaces placeholders; a text that is only a placeholder gets the type of its value. */
function replaceAll(text: string, known: ReadonlyMap<string, Value>): Value {
    return known.get(text) ?? text.replace(PLACEHOLDER, (placeholder) => String(known.get(placeholder) ?? placeholder));
}

/** Text that the SDK produces for an Output in a template string or JSON. */
const STRINGIFIED = /Calling \[to(?:String|JSON)\] on an \[Output<T>\]/;

/** Returns the fields that hold an Output, a resource, or a text with a stringified Output. */
export function findOutputs(value: unknown, path: FieldPath = []): FieldPath[] {
    if (isOutput(value) || pulumi.Resource.isInstance(value)) return [path];
    if (typeof value === "string") return STRINGIFIED.test(value) ? [path] : [];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, item]) =>
        findOutputs(item, [...path, Array.isArray(value) ? Number(key) : key]),
    );
}

const TAKEN =
    "Outputs are taken for namespace, name, labels, selector and targetPort of the Service, in references, " +
    "and for clusterId, vpcId, resourceGroupId, vswitches, kubeconfig and region";

/** Builds an error for each field that must not be an Output. */
export function refuseOutputs(subject: string, fields: readonly FieldPath[]): Diagnostic[] {
    return fields.map((path) => ({
        code: "component-arguments",
        severity: "error",
        place: { subject, path: [...path] },
        cause:
            "this is an Output (or a text that an Output was put into), " +
            "whose value is only known once another resource is made; " +
            "which listeners, server groups and rules there are follows from it",
        remedy:
            "write the value itself here and in the other resource, and name that resource in dependsOn. " +
            `${TAKEN}; pulumi.interpolate puts an Output into a text`,
    }));
}

/** @throws RunError with all fields that hold an Output */
export function requirePlain(subject: string, value: unknown): void {
    const fields = findOutputs(value);
    if (fields.length > 0) throw new pulumi.RunError(formatDiagnostics(refuseOutputs(subject, fields)));
}

/** Logs the fields that a preview does not know yet. */
export function announceUnknown(outputs: GivenOutputs, name: string, component: pulumi.Resource): void {
    if (outputs.none || !pulumi.runtime.isDryRun()) return;
    void outputs
        .unknownFields()
        .then((fields) =>
            fields.length === 0
                ? undefined
                : pulumi.log.info(
                      `Service ${name}: not known before pulumi up: ${fields.join(", ")}. ` +
                          "Names, ownership marks and backends that follow from it are shown as unknown, " +
                          "and are computed and checked in the up; everything else is checked now.",
                      component,
                  ),
        );
}
