/** The syntax tree of a document, checked and prepared in one walk before it becomes an object. */

import { type Alias, isAlias, isCollection, isMap, isPair, isScalar, type Document, type Node } from "yaml";
import { quote } from "../../net/redact";

interface TreeProblem {
    /** Undefined for a node without a place in the text. */
    readonly offset: number | undefined;
    readonly cause: string;
    readonly remedy: string;
}

/**
 * Tells each alias its node, and finds what an object cannot be made of: aliases without an anchor or an end, and keys
 * that are repeated or no text.
 *
 * The YAML library walks through the whole document for each look at an alias, and compares each key with all others of
 * its mapping: both would take hours for a manifest of a few MB.
 *
 * @returns the problems, and the number of nodes that the aliases stand for.
 */
export function prepareTree(document: Document) {
    const problems: TreeProblem[] = [];
    const anchors = new Map<string, Node>();
    /** Number of nodes below an anchor and its aliases. An anchor is missing until its node has been walked through. */
    const sizes = new Map<Node, number>();
    let written = 0;
    const refuse = (node: Node, cause: string, remedy: string): void =>
        void problems.push({ offset: node.range?.[0], cause, remedy });

    const follow = (alias: Alias): number => {
        const target = anchors.get(alias.source);
        const size = target && sizes.get(target);
        if (target === undefined)
            refuse(alias, `no anchor before the alias is called ${quote(alias.source)}`, WRITE_OUT);
        else if (size === undefined) refuse(alias, ENDLESS, WRITE_OUT);
        alias.resolve = () => (size === undefined ? undefined : (target as ReturnType<Alias["resolve"]>));
        return size ?? 1;
    };

    const checkKeys = (items: readonly { readonly key: unknown }[]): void => {
        const names = new Set<string>();
        for (const { key } of items) {
            const node = isAlias(key) ? key.resolve(document) : key;
            if (isScalar(node) && typeof node.value === "symbol") continue; // a merge key, which may be repeated
            const name = isScalar(node) ? String(node.value ?? "") : undefined;
            if (isCollection(node)) refuse(key as Node, "a key is a list or a mapping", "write a text as the key");
            else if (name !== undefined && names.has(name))
                refuse(key as Node, `the key ${quote(name)} is there twice`, "remove or rename one of them");
            else if (name !== undefined) names.add(name);
        }
    };

    const walk = (node: unknown): number => {
        if (isPair(node)) return walk(node.key) + walk(node.value);
        written++;
        if (isAlias(node)) return follow(node);
        let size = 1;
        const anchored = (isScalar(node) || isCollection(node)) && node.anchor !== undefined ? node : undefined;
        if (anchored?.anchor !== undefined) anchors.set(anchored.anchor, anchored);
        if (isCollection(node)) for (const item of node.items) size += walk(item);
        if (isMap(node)) checkKeys(node.items);
        if (anchored !== undefined) sizes.set(anchored, size);
        return size;
    };
    const size = walk(document.contents);
    return { problems, added: size - written };
}

const ENDLESS = "the alias is inside the value that its anchor names: the document has no end";

const WRITE_OUT = "write out what the alias stands for";
