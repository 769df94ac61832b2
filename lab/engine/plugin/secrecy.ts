import { containsSecret, isObject, Secret, type ValueMap } from "../value";

/**
 * Puts secrecy back into an answer of a provider that got its arguments in clear: whatever stands at a place where an
 * argument was secret becomes secret. Maps are followed; a list that held a secret becomes secret as a whole.
 */
export function markSecrets(answer: ValueMap, asked: ValueMap): ValueMap {
    const out = { ...answer };
    for (const [k, a] of Object.entries(asked)) {
        const v = out[k];
        if (v === undefined) continue;
        if (isObject(v) && isObject(a)) out[k] = markSecrets(v, a);
        else if (!(v instanceof Secret) && containsSecret(a)) out[k] = new Secret(v);
    }
    return out;
}
