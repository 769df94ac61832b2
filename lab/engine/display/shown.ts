import type { StepFacts } from "../events";
import { ROOT_STACK_TYPE } from "../state";
import type { DisplayOptions } from "./display";

/** True for steps that are worth showing; unchanged resources are not, unless asked for. */
export function shouldShow(s: StepFacts, o: DisplayOptions): boolean {
    switch (s.op) {
        case "same":
            return (s.old !== undefined && s.now !== undefined && s.old.protect !== s.now.protect) || o.showSames;
        case "create-replacement":
        case "delete-replaced":
        case "read-replacement":
        case "discard-replaced":
        case "import-replacement":
            return o.showReplacementSteps;
        default:
            return true;
    }
}

/** True for the step of the resource that stands for the stack. */
export function isRoot(s: StepFacts): boolean {
    return s.type === ROOT_STACK_TYPE;
}

/** An operation's name, marked where the object itself is kept. */
export function withRetain(text: string, s: StepFacts): string {
    const keeps =
        s.old?.retainOnDelete === true && ["delete", "replace", "create-replacement", "delete-replaced"].includes(s.op);
    return keeps ? `${text}[retain]` : text;
}
