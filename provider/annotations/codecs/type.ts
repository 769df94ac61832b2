/** How the text of an annotation becomes a value, and back. */

/** Why a text is not a value. */
export interface Refusal {
    /** What is wrong, without repeating the text. */
    readonly problem: string;
    /** What to write instead. */
    readonly remedy: string;
}

export type Reading<Value> = { readonly value: Value } | Refusal;

/** A kind of annotation value. `parse(print(value))` is `value` for every value that `parse` can give. */
export interface ValueType<Value> {
    /** What is allowed, for people, for example `1 to 60`. */
    readonly allowed: string;
    parse(text: string): Reading<Value>;
    /** The text for a value. Takes anything, since typed settings are not typed at run time; `undefined` if it is not such a value. */
    print(value: unknown): string | undefined;
}

export const refused = (reading: Reading<unknown>): reading is Refusal => "problem" in reading;

/** Prints what a text-valued type prints. */
export const printText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
