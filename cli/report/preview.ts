/** Saved preview, as `pulumi preview --json` prints it. */

import { z } from "zod";
import { DiagnosticsError, type FieldPath, isMapping, type Problem } from "../../provider/diagnostics";
import { defined } from "../../provider/schema/defined";
import { knownType } from "../../provider/schema/own-types";
import { SIGNATURE } from "../../provider/schema/secrets";
import { parseData } from "../../policies/subjects/parse";
import { MAP, type PreviewResource, readerOf, type ServiceReader, TEXT_LIST } from "../../policies/subjects";
import { Unknown, UnknownInputError } from "../../policies/subjects";

/** Resource with its inputs for rules about one resource, and its outputs for those about a stack. */
export interface PreviewedResource extends Readonly<Record<"inputs" | "outputs", PreviewResource>> {
    /** Reader of the Service that it is. */
    readonly service: ServiceReader;
}

/** The engine writes null for nothing. */
const URNS = TEXT_LIST.nullish().transform((urns) => urns ?? []);

const STATE = z
    .object({
        // That of a program's component may have any form.
        type: z.string().regex(/./).describe("a type token such as kubernetes:core/v1:Service").transform(knownType),
        inputs: MAP.default({}),
        outputs: MAP.default({}),
        id: z.string().optional(),
        importID: z.string().optional(),
        parent: z.string().optional(),
        provider: z.string().optional(),
        deletedWith: z.string().optional(),
        protect: z.boolean().default(false),
        retainOnDelete: z.boolean().default(false),
        dependencies: URNS,
        propertyDependencies: z.record(z.string(), URNS).default({}),
    })
    // The id is absent until the resource is created. For an import it is that of the object which is taken over.
    .transform(({ id, importID, ...state }) => ({ ...state, ...defined({ id: id || importID || undefined }) }));

const STEP = z.object({
    op: z.string(),
    urn: z.string(),
    oldState: STATE.nullish(),
    newState: STATE.nullish(),
    diffReasons: URNS,
});

const DIAGNOSTIC = z.object({ urn: z.string().optional(), message: z.string(), severity: z.string() });

const PREVIEW = z.object({
    steps: z.array(STEP),
    diagnostics: z.array(DIAGNOSTIC).nullish(),
    changeSummary: z.object({ same: z.number().default(0) }).nullish(),
});

export type PreviewDigest = z.output<typeof PREVIEW>;

export type PreviewDiagnostic = z.output<typeof DIAGNOSTIC>;

export type PreviewState = z.output<typeof STATE>;

/** Problems of a file that are listed. One cause often has many. */
const LISTED = 5;

const GONE = /^(?:(?:delete|discard)(?:-replaced)?|remove-pending-replace|forget)$/;

const MASK = "[secret]";

/** Returns the resources after the update. Without `--show-sames`, the preview lacks those that do not change. */
export function readResources({ steps }: PreviewDigest): PreviewedResource[] {
    const latest = new Map<string, { readonly step: PreviewDigest["steps"][number]; readonly state: PreviewState }>();
    for (const step of steps)
        if (!GONE.test(step.op) && step.newState) latest.set(step.urn, { step, state: step.newState });
    return [...latest.values()].map(({ step: { urn, oldState }, state }) => resourceOf(urn, state, oldState));
}

/** Returns the resources before the update. */
export function readFormerResources({ steps }: PreviewDigest): PreviewedResource[] {
    const former = new Map(steps.flatMap(({ urn, oldState }) => (oldState ? [[urn, oldState] as const] : [])));
    return [...former].map(([urn, state]) => resourceOf(urn, state));
}

function resourceOf(urn: string, state: PreviewState, oldState?: PreviewState | null): PreviewedResource {
    const { type, inputs, outputs, protect, propertyDependencies: origins } = state;
    // A reference to a provider ends with its id.
    const provider = state.provider?.replace(/::[^:]*$/, "");
    const common = { type, urn, name: partsOf(urn).name, protect, provider, origins };
    const before = oldState ? hideSecrets(oldState.inputs) : undefined;
    const ofInputs = { ...common, props: hideSecrets(inputs), before };
    const ofOutputs = { ...common, props: hideSecrets({ ...inputs, ...outputs }) };
    return { inputs: ofInputs, outputs: ofOutputs, service: readerOf(ofInputs) };
}

/** Returns the types of a URN, of the outermost parent first, and the name, which may contain the separator. */
export function partsOf(urn: string): { readonly types: string; readonly name: string } {
    const [, , types = "", ...name] = urn.split("::");
    return { types, name: name.join("::") };
}

/**
 * Reads the document of the engine, with secrets.
 *
 * @param file that errors name
 * @param page of the command, which errors name
 * @throws DiagnosticsError
 */
export function readDigest(text: string, file?: string, page = "docs/check.md"): PreviewDigest {
    const problem = (cause: string, path: FieldPath = [], remedy = REMEDY): Problem<"preview-format"> => ({
        code: "preview-format",
        severity: "error",
        place: { ...defined({ subject: file }), path },
        cause,
        remedy,
        source: page,
    });
    let digest: unknown;
    try {
        digest = JSON.parse(text);
    } catch (error) {
        throw new DiagnosticsError([problem(`not valid JSON: ${(error as Error).message}`)]);
    }
    if (!isMapping(digest) || !Array.isArray(digest["steps"])) throw new DiagnosticsError([problem("it has no steps")]);
    const parsed = parseData(PREVIEW, digest);
    if (parsed.problems === undefined) return parsed.data;
    throw new DiagnosticsError(
        parsed.problems.slice(0, LISTED).map(({ path, cause, remedy }) => problem(cause, path, `${remedy}; ${REMEDY}`)),
    );
}

const REMEDY = "save what `pulumi preview --json` prints";

/** Replaces secrets by unknown values. */
export function hideSecrets(value: unknown, path: readonly string[] = []): unknown {
    if (value === MASK) return new Unknown(new UnknownInputError(path, MASK));
    if (typeof value !== "object" || value === null) return value;
    if (SIGNATURE in value) return new Unknown(new UnknownInputError(path, SIGNATURE));
    if (Array.isArray(value)) return value.map((part, index) => hideSecrets(part, [...path, String(index)]));
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, hideSecrets(part, [...path, key])]));
}
