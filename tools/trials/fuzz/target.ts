import type * as fc from "fast-check";

/** An edge of the package where data of unknown shape comes in. */
export interface Target<Input = unknown> {
    readonly name: string;
    /** A valid input, which must be accepted: all other inputs are derived from it. */
    readonly good: Input;
    readonly inputs: fc.Arbitrary<Input>;
    /** Takes an input. It may throw only errors that {@link Target.expects} accepts. */
    readonly take: (input: Input) => void | Promise<void>;
    /** An input takes long: a hundredth of the inputs is given. */
    readonly costly?: true;
    /** Reports whether an error is meant for users. Default: none is. */
    readonly expects?: (error: unknown) => boolean;
}

/** Keeps the types of a target together until it stands in a list of others. */
export const target = <Input>(of: Target<Input>): Target => of as unknown as Target;
