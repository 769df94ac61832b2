import { UsageError } from "./args";
/** `pulumi state …`. */
export async function stateCommand(_argv: readonly string[]): Promise<number> {
    throw new UsageError("not yet");
}
