/** What the cloud says of a reused instance, judged: the contract of the Service states it among its inputs. */

import { z } from "zod";
import { isMapping } from "../../../provider/diagnostics/path";
import type { ObservedLoadBalancer, ReuseRequest } from "../../../provider/model/observed";
import { checkReuse, type ReuseCode } from "../../../provider/plan/reuse";
import type { ResourceRule } from "../../rule";
import { CONTRACT_TYPE } from "../../types";

/** As the component records it; what is in it was read by this package. */
const REUSE = z.object({
    wish: z.custom<ReuseRequest>(isMapping),
    found: z.custom<ObservedLoadBalancer>(isMapping).exactOptional(),
});

/** What a rule says of contracts: the verdicts of these codes. */
export function diagnosticsOf(codes: readonly ReuseCode[]): NonNullable<ResourceRule["resources"]> {
    return {
        [CONTRACT_TYPE]: (contract) => {
            const reuse = contract.get("reuse", REUSE);
            if (reuse === undefined) return [];
            return checkReuse(reuse.wish, reuse.found)
                .filter(({ code }) => codes.includes(code))
                .map(({ message, remedy }) => ({ cause: message, remedy }));
        },
    };
}
