/** A line of ids in a comment: `Requirements: A09, A10.` */
const MENTION = /^ *(?:\/\*)?\*+ *Requirements: ((?:[A-Z]\d\d(?:, *\n *\* *|, )?)+)\./m;

/** The ids of the requirements that a test file says it verifies, in the order in which it names them; none without such a line. */
export function mentioned(source: string): string[] {
    return MENTION.exec(source)?.[1]?.match(/[A-Z]\d\d/g) ?? [];
}
