/** Stacks that a test leaves as they are, because nothing of them is looked at any more. */
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY } from "../../lab";
import type { Stack } from "./stack";

/** Removes the files of settings of stacks in a lab that is given back: its next user finds nothing else of them. */
export function forget(...stacks: readonly Stack[]): void {
    for (const { name } of stacks) fs.rmSync(path.join(REPOSITORY, `Pulumi.${name}.yaml`), { force: true });
}
