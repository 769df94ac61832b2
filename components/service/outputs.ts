/**
 * Values that a program gives as Outputs where everything is built from plain text: names, the cluster's id, the region.
 *
 * What is read, checked and built from such a field has a placeholder in its place; the value takes the placeholder's place where a resource is registered. A preview so shows the
 * whole structure, with the values that it cannot know yet as unknown.
 */
import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { type Diagnostic, type FieldPath, formatDiagnostics } from "../../provider/diagnostics";
import { perRun } from "./run";

/** A placeholder is a DNS label, a port name and an id at once, so that every check of form lets it pass. */
const PLACEHOLDER = /out-[0-9a-f]{10}(?![0-9a-f])/g;

type Value = string | number;

/** An Output, and what it is for people. */
interface GivenOutput {
    readonly field: string;
    readonly value: pulumi.Output<Value>;
    /** Once the engine has resolved it. */
    settled?: Value;
}

/** Outputs of a run by their placeholders. */
const given = perRun(() => new Map<string, GivenOutput>());

/**
 * A text for a field that may be an Output: itself, or its placeholder.
 *
 * @param scope what the field is of, unique in the program: placeholders are the same in every run.
 */
export function placeholderFor(scope: string, field: string, value: pulumi.Input<string>): string {
    if (!isOutput(value)) {
        return value;
    }
    return note(scope, field, pulumi.output(value));
}

function note(scope: string, field: string, value: pulumi.Output<Value>): string {
    const entry: GivenOutput = { field, value };
    // Components of one name under different parents come in the order of the program.
    for (let count = 1; ; count++) {
        const placeholder = `out-${createHash("sha256").update(`${scope} ${field} ${count}`).digest("hex").slice(0, 10)}`;
        if (!given().has(placeholder)) {
            given().set(placeholder, entry);
            value.apply((known) => {
                entry.settled = known;
            });
            return placeholder;
        }
    }
}

/** The same for the number or name of a port. */
export function portPlaceholder(scope: string, field: string, value: unknown): string {
    return note(scope, field, pulumi.output(value as pulumi.Input<Value>));
}

/** Whether a value is only known once the engine has answered. */
export function isOutput(value: unknown): value is pulumi.Output<unknown> | Promise<unknown> {
    return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** The Outputs that some plain data was built from. */
export class GivenOutputs {
    readonly #entries: ReadonlyMap<string, GivenOutput>;

    /**
     * @param data whatever may have placeholders in it.
     * @param entries the Outputs that are meant. Default: all of this run.
     */
    constructor(data: unknown, entries: ReadonlyMap<string, GivenOutput> = given()) {
        // Most programs have none: then nothing is searched.
        const text = entries.size === 0 ? "" : JSON.stringify([data]);
        this.#entries = new Map(
            (text.match(PLACEHOLDER) ?? []).flatMap((placeholder) => {
                const entry = entries.get(placeholder);
                return entry === undefined ? [] : [[placeholder, entry] as const];
            }),
        );
    }

    /** Whether there are none, so that everything is plain. */
    get none(): boolean {
        return this.#entries.size === 0;
    }

    /** The fields that a preview does not know yet. */
    async unknownFields(): Promise<string[]> {
        const fields = [...this.#entries.values()].map(async ({ field, value }) =>
            (await isKnownOutput(value)) ? [] : [field],
        );
        return (await Promise.all(fields)).flat();
    }

    /** The fields whose Outputs have no value: it would be missing in whatever is built from it. */
    get valueless(): pulumi.Output<string[]> {
        const entries = [...this.#entries.values()];
        return pulumi
            .all(entries.map(({ value }) => value))
            .apply((values) => entries.filter((_, index) => (values[index] ?? "") === "").map(({ field }) => field));
    }

    /**
     * Data with the values that the engine has resolved by now, for calls that follow the registration of a resource with them.
     *
     * @throws Error if one of them is not known
     */
    settled<Data>(data: Data): Data {
        const known = [...this.#entries].map(([placeholder, { field, settled }]) => {
            if (settled === undefined) {
                throw new Error(`${field} is not known yet`);
            }
            return [placeholder, settled] as const;
        });
        return fillIn(data, new Map(known));
    }

    /** Data with the values in it, unknown as long as one of them is. */
    fill<Data>(data: Data): pulumi.Output<Data> {
        const placeholders = [...this.#entries.keys()];
        return pulumi.all([...this.#entries.values()].map(({ value }) => value)).apply((values) => {
            const known = new Map(placeholders.map((placeholder, index) => [placeholder, values[index] as Value]));
            return fillIn(data, known);
        });
    }

    /** Arguments of a resource with the values in them: each text and each Output by itself. */
    fillInputs(inputs: unknown): unknown {
        if (this.none) {
            return inputs;
        }
        return replaced(
            inputs,
            (text) => this.#fillWhereNeeded(text),
            (value) =>
                (pulumi.output(value) as pulumi.Output<unknown>).apply((known: unknown) =>
                    this.#fillWhereNeeded(known),
                ),
        );
    }

    /** What has no placeholder in it is known without the values. */
    #fillWhereNeeded(value: unknown): unknown {
        const outputs = new GivenOutputs(value, this.#entries);
        return outputs.none ? value : outputs.fill(value);
    }

    /** Options with which every child's arguments have the values in them. */
    transform(opts: pulumi.ComponentResourceOptions | undefined): pulumi.ComponentResourceOptions | undefined {
        if (this.none) {
            return opts;
        }
        const fill: pulumi.ResourceTransformation = ({ props, opts: own }) => ({
            // The code of a dynamic provider has no placeholders, and must be known in a preview.
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

/** What an Output is inside; the SDK keeps it from its types. */
const insideOf = <Value>(value: pulumi.Output<Value>) =>
    value as unknown as {
        readonly isKnown: Promise<boolean>;
        readonly isSecret: Promise<boolean>;
        promise(): Promise<Value>;
    };

/** Whether the engine knows a value in this run's preview. */
export function isKnownOutput(value: pulumi.Output<unknown>): Promise<boolean> {
    return insideOf(value).isKnown;
}

/** The value of an Output that {@link isKnownOutput}, once the engine has resolved it. */
export function promiseOf<Value>(value: pulumi.Output<Value>): Promise<Value> {
    return insideOf(value).promise();
}

/** An Output to export that may fail before the program has been loaded: the SDK takes it only then, and Node would warn of a failure that nobody waits for until then. */
export function exported<Value>(value: pulumi.Output<Value>): pulumi.Output<Value> {
    const { isKnown, isSecret } = insideOf(value);
    for (const part of [isKnown, isSecret]) part.catch(() => undefined);
    return value;
}

/** Data with its texts replaced, and its Outputs where that is asked for. What is no plain data stays as it is. */
function replaced(data: unknown, text: (value: string) => unknown, output?: (value: unknown) => unknown): unknown {
    if (typeof data === "string") {
        return text(data);
    }
    if (isOutput(data)) {
        return output === undefined ? data : output(data);
    }
    if (Array.isArray(data)) {
        return data.map((item) => replaced(item, text, output));
    }
    if (typeof data !== "object" || data === null || Object.getPrototypeOf(data) !== Object.prototype) {
        return data;
    }
    return Object.fromEntries(Object.entries(data).map(([key, item]) => [key, replaced(item, text, output)]));
}

function fillIn<Data>(data: Data, known: ReadonlyMap<string, Value>): Data {
    return replaced(data, (text) => replaceAll(text, known)) as Data;
}

/** A text that is one placeholder becomes its value, with the value's type. */
function replaceAll(text: string, known: ReadonlyMap<string, Value>): Value {
    return known.get(text) ?? text.replace(PLACEHOLDER, (placeholder) => String(known.get(placeholder) ?? placeholder));
}

/** What the SDK makes of an Output that is put into a text, or into JSON. */
const STRINGIFIED = /Calling \[to(?:String|JSON)\] on an \[Output<T>\]/;

/** Fields that hold an Output, a resource, or a text that an Output was put into. */
export function findOutputs(value: unknown, path: FieldPath = []): FieldPath[] {
    if (isOutput(value) || pulumi.Resource.isInstance(value)) {
        return [path];
    }
    if (typeof value === "string") {
        return STRINGIFIED.test(value) ? [path] : [];
    }
    if (typeof value !== "object" || value === null) {
        return [];
    }
    return Object.entries(value).flatMap(([key, item]) =>
        findOutputs(item, [...path, Array.isArray(value) ? Number(key) : key]),
    );
}

const TAKEN =
    "Outputs are taken for namespace, name, labels, selector and targetPort of the Service, in references, and for clusterId, vpcId, resourceGroupId, vswitches, kubeconfig and region";

/** Why fields cannot be Outputs. */
export function refuseOutputs(subject: string, fields: readonly FieldPath[]): Diagnostic[] {
    return fields.map((path) => ({
        code: "component-arguments",
        severity: "error",
        place: { subject, path: [...path] },
        cause: "this is an Output (or a text that an Output was put into), whose value is only known once another resource is made; which listeners, server groups and rules there are follows from it",
        remedy: `write the value itself here and in the other resource, and name that resource in dependsOn. ${TAKEN}; pulumi.interpolate puts an Output into a text`,
    }));
}

/** @throws RunError with every field that holds an Output. */
export function requirePlain(subject: string, value: unknown): void {
    const fields = findOutputs(value);
    if (fields.length > 0) {
        throw new pulumi.RunError(formatDiagnostics(refuseOutputs(subject, fields)));
    }
}

/** Says in a preview, in one line, which fields it cannot know yet and what follows from that. */
export function announceUnknown(outputs: GivenOutputs, name: string, component: pulumi.Resource): void {
    if (outputs.none || !pulumi.runtime.isDryRun()) {
        return;
    }
    void outputs
        .unknownFields()
        .then((fields) =>
            fields.length === 0
                ? undefined
                : pulumi.log.info(
                      `Service ${name}: not known before pulumi up: ${fields.join(", ")}. Names, ownership marks and backends that follow from it are shown as unknown, and are computed and checked in the up; everything else is checked now.`,
                      component,
                  ),
        );
}
