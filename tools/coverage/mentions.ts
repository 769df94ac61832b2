/** A line of ids in a comment: `Requirements: A09, A10.` */
const MENTION = /^ *(?:\/\*)?\*+ *Requirements: ((?:[A-Z]\d\d(?:, *\n *\* *|, )?)+)\./m;

/**
 * Returns the ids of the requirements in a test file's `Requirements:` comment in their order, none without that
 * comment.
 */
export function mentioned(source: string): string[] {
    return MENTION.exec(source)?.[1]?.match(/[A-Z]\d\d/g) ?? [];
}
