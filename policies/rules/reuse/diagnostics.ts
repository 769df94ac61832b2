/** Whether a Service may reuse its instance: the contract of the Service holds request and observed instance among its inputs. */

import { z } from "zod";
import { isMapping, type ReuseCode } from "../../../provider/diagnostics";
import type { ObservedLoadBalancer, ReuseRequest } from "../../../provider/model/observed";
import { checkReuse, recordedRequest } from "../../../provider/plan/reuse";
import type { ResourceRule } from "../../rule";
import { CONTRACT_TYPE } from "../../subjects/types";
import { defined } from "../../../provider/schema/defined";

/** As the component records it. */
const REUSE = z.object({
    request: z.custom<ReuseRequest>(isMapping).exactOptional(),
    wish: z.custom<ReuseRequest>(isMapping).exactOptional(),
    found: z.custom<ObservedLoadBalancer>(isMapping).exactOptional(),
});

/** The check of contracts that finds the diagnostics of these codes. */
export function diagnosticsOf(codes: readonly ReuseCode[]): NonNullable<ResourceRule["resources"]> {
    return {
        [CONTRACT_TYPE]: (contract) => {
            const reuse = contract.get("reuse", REUSE);
            const request = recordedRequest(reuse);
            if (request === undefined) return [];
            return checkReuse(request, reuse?.found)
                .filter(({ code }) => codes.includes(code))
                .map(({ cause, remedy }) => ({ cause, ...defined({ remedy }) }));
        },
    };
}
