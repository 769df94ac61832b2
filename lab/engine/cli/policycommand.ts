import { UsageError } from "./args";
/** `pulumi policy …`. */
export async function policyCommand(_argv: readonly string[]): Promise<number> {
    throw new UsageError("not yet");
}
