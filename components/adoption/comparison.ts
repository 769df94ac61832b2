import type { Adoption } from "../../provider/model/observed";
import type { Difference } from "../../provider/plan/adoption";

/** What can be taken over, and everything that is not as the Service says. */
export interface Comparison {
    readonly adoption: Adoption;
    readonly differences: readonly Difference[];
}
