import { makeUrn, ROOT_STACK_TYPE, urnName, urnQualifiedType, urnType } from "../state";
import type { AliasSpec, Goal } from "./goal";
import type { Target } from "./context";

/** The URN an alias stands for; parts that are not given are the resource's own. */
function aliasUrn(goal: Goal, a: AliasSpec, target: Target, oldUrnOf: ReadonlyMap<string, string>): string {
    if ("urn" in a) return a.urn;
    let parent = a.parent === "" ? goal.parent : (oldUrnOf.get(a.parent) ?? a.parent);
    if (a.noParent || (parent !== "" && urnQualifiedType(parent) === ROOT_STACK_TYPE)) parent = "";
    return makeUrn(
        a.stack || target.stack,
        a.project || target.project,
        parent,
        a.type || goal.type,
        a.name || goal.name,
    );
}

/** What a child was called while its parent had the old URN. A name that begins with the parent's follows it. */
function inheritedAlias(type: string, name: string, parentName: string, parentAlias: string, target: Target): string {
    const own = name.startsWith(parentName) ? urnName(parentAlias) + name.slice(parentName.length) : name;
    const chain = urnQualifiedType(parentAlias) === ROOT_STACK_TYPE ? type : `${urnQualifiedType(parentAlias)}$${type}`;
    return `urn:pulumi:${target.stack}::${target.project}::${chain}::${own}`;
}

/**
 * All URNs under which the old state of a resource may be found, in order of preference.
 * @param oldUrnOf the URN under which each resource of this run was found, where that is another one
 */
export function aliasesOf(goal: Goal, target: Target, oldUrnOf: ReadonlyMap<string, string>): string[] {
    const out = new Set<string>();
    const own = goal.aliases.map((a) => aliasUrn(goal, a, target, oldUrnOf));
    for (const u of own) out.add(u);
    const parentAlias = goal.parent === "" ? undefined : oldUrnOf.get(goal.parent);
    if (parentAlias !== undefined) {
        const parentName = urnName(goal.parent);
        out.add(inheritedAlias(goal.type, goal.name, parentName, parentAlias, target));
        for (const u of own) out.add(inheritedAlias(urnType(u), urnName(u), parentName, parentAlias, target));
    }
    return [...out];
}
