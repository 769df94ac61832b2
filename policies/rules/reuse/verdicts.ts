/** What the cloud says of a reused instance, judged: the contract of the Service states it among its inputs. */

import type { ObservedLoadBalancer, ReuseRequest } from "../../../provider/model/observed";
import type { ReuseCode } from "../../../provider/diagnostics";
import { checkReuse } from "../../../provider/plan/reuse";
import type { ResourceRule } from "../../rule";
import { CONTRACT_TYPE } from "../../types";

/** What a rule says of contracts: the verdicts of these codes. */
export function verdicts(codes: readonly ReuseCode[]): NonNullable<ResourceRule["resources"]> {
    return {
        [CONTRACT_TYPE]: (contract) => {
            const reuse = contract.get<{ wish: ReuseRequest; found?: ObservedLoadBalancer }>("reuse");
            if (reuse === undefined) return [];
            return checkReuse(reuse.wish, reuse.found)
                .filter(({ code }) => codes.includes(code))
                .map(({ cause, remedy }) => ({ message: cause, ...(remedy === undefined ? {} : { remedy }) }));
        },
    };
}
