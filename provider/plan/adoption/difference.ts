import { diagnostic, type Diagnostic, type PlanCode, type Severity } from "../../diagnostics";

/**
 * Effect of a difference on an adoption.
 * - refused: the object cannot be taken over like this.
 * - differs: it is taken over only where changes are allowed.
 * - note: it is taken over all the same; worth knowing.
 */
export type AdoptionVerdict = "refused" | "differs" | "note";

type TakeoverCode = Extract<PlanCode, `takeover-${string}`>;

/** One attribute in which cloud and Service are not equal. */
export type Difference = Diagnostic<TakeoverCode> & DifferenceParts;

/** Fields of a difference. */
export interface DifferenceParts {
    readonly verdict: AdoptionVerdict;
    /** `load balancer`, `listener tcp:80`, `vServer group k8s/30080/…`. */
    readonly object: string;
    /** Empty for the object itself. */
    readonly attribute: string;
    /** As the cloud has it; `-` for nothing. */
    readonly observed: string;
    /** As the Service says, or what will become of it. */
    readonly desired: string;
}

const KINDS: Readonly<Record<AdoptionVerdict, { readonly code: TakeoverCode; readonly severity: Severity }>> = {
    refused: { code: "takeover-refused", severity: "error" },
    differs: { code: "takeover-difference", severity: "warning" },
    note: { code: "takeover-note", severity: "info" },
};

/** Remedy per verdict. */
export const REMEDIES: Readonly<Record<AdoptionVerdict, string>> = {
    refused: "make both sides agree on what cannot be taken over, in the cloud or in the Service",
    differs:
        "state in the Service's annotations what the cloud has (then nothing changes), or set allowChanges: " +
        "settings that differ are then taken over as they are and changed to " +
        "what the Service says by the first run without adopt, backends by this one",
    note: "nothing, if that is meant",
};

/** A difference as a diagnostic. */
export function difference(parts: DifferenceParts): Difference {
    const { verdict, object, attribute, observed, desired } = parts;
    const subject = attribute === "" ? object : `${attribute} of ${object}`;
    const made = diagnostic({
        ...KINDS[verdict],
        about: { subject: object },
        cause: `${subject}: ${observed} in the cloud, ${desired} by the Service`,
        remedy: REMEDIES[verdict],
    });
    return { ...made, ...parts };
}
