import type { ResourceState } from "../state";
import { aliasesOf } from "./aliases";
import { Bail } from "./bail";
import type { StepBook } from "./book";
import type { Deployment } from "./deployment";
import type { Goal } from "./goal";

/**
 * Takes a URN for a resource of the program.
 * @throws Bail if another resource has it, Error if the parent is not known
 */
export function claimUrn(d: Deployment, book: StepBook, parent: string, type: string, name: string): string {
    if (parent !== "" && !book.urns.has(parent)) throw new Error(`could not find parent resource ${parent}`);
    const urn = d.urn(parent, type, name);
    if (book.urns.has(urn)) {
        d.diag.error(urn, `Duplicate resource URN '${urn}'; try giving it a unique name`);
        throw new Bail(`Duplicate resource URN '${urn}'`);
    }
    book.urns.add(urn);
    return urn;
}

/** What a resource was before the run. */
interface OldClaim {
    old: ResourceState | undefined;
    /** URNs under which it was found, if not under its own. */
    aliases: string[];
    /** Another resource claims the same; that has been reported. */
    conflict: boolean;
}

/** Takes the old state of a resource, found under its own URN or one of its aliases. */
export function claimOld(d: Deployment, book: StepBook, urn: string, goal: Goal): OldClaim {
    let conflict = false;
    const claimed = book.aliased.get(urn);
    if (claimed !== undefined) {
        conflict = true;
        d.diag.error(urn, `Duplicate resource URN '${urn}' conflicting with alias on resource with URN '${claimed}'`);
    }
    for (const candidate of [urn, ...aliasesOf(goal, d.target, book.aliases)]) {
        const old = d.olds.get(candidate);
        if (!old) continue;
        if (candidate === urn) return { old, aliases: [], conflict };
        const other = book.urns.has(candidate) ? urn : book.aliased.get(candidate);
        if (other !== undefined) {
            conflict = true;
            d.diag.error(
                urn,
                `Duplicate resource alias '${candidate}' applied to resource with URN '${urn}' conflicting with resource with URN '${other}'`,
            );
        }
        book.aliased.set(candidate, urn);
        book.aliases.set(urn, candidate);
        d.providers.alias(urn, candidate);
        return { old, aliases: [candidate], conflict };
    }
    return { old: undefined, aliases: [], conflict };
}
