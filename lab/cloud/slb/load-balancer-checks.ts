import type { World } from "../world";
import * as rules from "./load-balancer-rules";

export function checkName(world: World, name: string): void {
    world.rules.check(rules.NAME_FORM, [...name].length <= 128 && /^\p{L}[\p{L}\p{N}._/-]*$/u.test(name));
}

/** The reason of a modification protection. */
export function checkReason(world: World, reason: string | undefined): void {
    world.rules.check(rules.PROTECTION_REASON, reason === undefined || (reason.length <= 80 && /^\p{L}/u.test(reason)));
}
