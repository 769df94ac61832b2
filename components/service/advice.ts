/**
 * Advice on a Service's settings: what works and is worth knowing. It is given when it is new, and not again by every run.
 *
 * The contract records which advice was given, and its hooks speak of what was not.
 */
import * as pulumi from "@pulumi/pulumi";
import { type Diagnostic, formatDiagnostics } from "../../provider/diagnostics";
import { hooksSupported } from "./hooks";
import { perRun, resourceHook } from "./run";

/** Texts of advice by the key under which a contract records it. */
export type Advice = ReadonlyMap<string, string>;

/** Advice of all Services of the program, by name of the contract: hooks are the same for all, and see inputs only. */
const given = perRun(() => new Map<string, Advice>());

/** What else is worth knowing of a Service. */
export interface OtherAdvice {
    /** Its load balancer outlives it. Default: false. */
    readonly preserved?: boolean;
    /** What follows from the class of another controller in its manifest; absent without such a class. */
    readonly otherClass?: string | undefined;
}

/**
 * The advice in a Service's diagnostics, and what else is worth knowing. A key has no position: advice does not become new because
 * a line of a manifest moves.
 */
export function adviceOf(
    name: string,
    diagnostics: readonly Diagnostic[],
    { preserved = false, otherClass }: OtherAdvice = {},
): Advice {
    const advice = new Map<string, string>();
    for (const diagnostic of diagnostics) {
        const { code, setting, place } = diagnostic;
        const key = `${code}: ${setting ?? place.path?.join(".") ?? name}`;
        const before = advice.get(key);
        const text = formatDiagnostics([diagnostic]);
        advice.set(key, before === undefined ? text : `${before}\n${text}`);
    }
    if (preserved)
        advice.set(
            "PreservedOnDelete",
            `PreservedOnDelete: the load balancer of Service ${name} stays when the Service is deleted`,
        );
    if (otherClass !== undefined) advice.set("OtherClass", otherClass);
    return advice;
}

/** What the contract of this name records of its advice, and the hook that gives it. Without hooks (in unit tests) it is given at once. */
export function recordAdvice(
    name: string,
    advice: Advice,
): { readonly keys: readonly string[]; readonly hooks: readonly pulumi.ResourceHook[] } {
    if (advice.size === 0) return { keys: [], hooks: [] };
    given().set(name, advice);
    if (hooksSupported()) return { keys: [...advice.keys()].sort(), hooks: [adviceHook()] };
    void pulumi.log.warn([...advice.values()].join("\n"));
    return { keys: [], hooks: [] };
}

/** One for all Services, because hook names are global in a run. */
const adviceHook = perRun(() =>
    resourceHook(
        "ack-loadbalancer-advice",
        async ({ name, oldInputs }) => {
            const before = ((oldInputs ?? {}) as { readonly advice?: readonly string[] }).advice ?? [];
            const texts = [...(given().get(name) ?? [])].flatMap(([key, text]) => (before.includes(key) ? [] : [text]));
            if (texts.length > 0) await pulumi.log.warn(texts.join("\n"));
        },
        { onDryRun: true },
    ),
);
