/** Change of an attribute, in text form. */
export interface Change {
    before: string;
    after: string;
    /** The new value is known only after the update. */
    unknown: boolean;
    /** The attribute was taken out. */
    removed: boolean;
    /** Cannot be changed in place. */
    replaces: boolean;
}

/** Required changes by flat attribute name. */
export interface Difference {
    readonly attributes: Map<string, Change>;
    /** Limits in nanoseconds by operation, kept with the state. */
    readonly timeouts?: Readonly<Record<string, number>>;
}

export const requiresReplacement = (difference: Difference): boolean =>
    [...difference.attributes.values()].some((change) => change.replaces);
