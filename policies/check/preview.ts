/** A saved preview, as `pulumi preview --json` prints it. */

import { UnknownInputError, type PreviewResource, Unknown } from "../subjects";

/** A resource of a preview: its inputs for rules about one resource, its outputs for those about a stack. */
export interface PreviewedResource {
    readonly inputs: PreviewResource;
    readonly outputs: PreviewResource;
}

/** A text that is no preview. */
export class PreviewError extends Error {}

interface State {
    readonly type: string;
    readonly inputs?: Readonly<Record<string, unknown>>;
    readonly outputs?: Readonly<Record<string, unknown>>;
    readonly protect?: boolean;
    readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
}

interface Step {
    readonly op: string;
    readonly urn: string;
    readonly oldState?: State;
    readonly newState?: State;
}

/** Operations after which the resource is no longer there. */
const GONE: ReadonlySet<string> = new Set([
    "delete",
    "delete-replaced",
    "discard",
    "discard-replaced",
    "remove-pending-replace",
    "forget",
]);

/** By this key the engine marks values that it does not show. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** What the engine prints in place of a secret. */
const MASK = "[secret]";

/**
 * The resources that will be there after the update. Without `--show-sames` a preview leaves out those that do not change, and rules about the whole stack see less.
 *
 * @throws PreviewError
 */
export function readPreview(text: string): PreviewedResource[] {
    const steps = stepsOf(text);
    const latest = new Map<string, Step>();
    for (const step of steps) if (!GONE.has(step.op) && step.newState !== undefined) latest.set(step.urn, step);
    return [...latest.values()].map(({ urn, newState, oldState }) => {
        const { type, inputs = {}, outputs = {}, protect, propertyDependencies } = newState as State;
        const common = {
            type,
            urn,
            name: urn.split("::").slice(3).join("::"),
            protect: protect === true,
            ...(propertyDependencies === undefined ? {} : { origins: propertyDependencies }),
        };
        const before = oldState?.inputs === undefined ? {} : { before: hideSecrets(oldState.inputs) };
        return {
            inputs: { ...common, props: hideSecrets(inputs), ...before },
            outputs: { ...common, props: hideSecrets({ ...inputs, ...outputs }) },
        };
    });
}

function stepsOf(text: string): readonly Step[] {
    let digest: unknown;
    try {
        digest = JSON.parse(text);
    } catch (error) {
        throw new PreviewError(`it is no JSON: ${(error as Error).message}`);
    }
    const steps = typeof digest === "object" && digest !== null && "steps" in digest ? digest.steps : undefined;
    if (
        !Array.isArray(steps) ||
        !steps.every((step: unknown) => typeof step === "object" && step !== null && "op" in step && "urn" in step)
    ) {
        throw new PreviewError("it has no steps; save what `pulumi preview --json` prints");
    }
    return steps as Step[];
}

/** A value that is not shown cannot be judged, any more than one that is not known. */
function hideSecrets(value: unknown, path: readonly string[] = []): unknown {
    if (value === MASK) return new Unknown(new UnknownInputError(path, MASK));
    if (typeof value !== "object" || value === null) return value;
    if (SIGNATURE in value) return new Unknown(new UnknownInputError(path, SIGNATURE));
    if (Array.isArray(value)) return value.map((part, index) => hideSecrets(part, [...path, String(index)]));
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, hideSecrets(part, [...path, key])]));
}
