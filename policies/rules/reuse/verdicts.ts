/** What the cloud says of a reused instance, judged: the contract of the Service states it among its inputs. */

import type { ExistingInstance, ReuseWish } from "../../../provider/model/instance";
import { judgeReuse, type ReuseCode } from "../../../provider/plan/reuse";
import type { ResourceRule } from "../../rule";
import { CONTRACT_TYPE } from "../../types";

/** What a rule says of contracts: the verdicts of these codes. */
export function verdicts(codes: readonly ReuseCode[]): NonNullable<ResourceRule["resources"]> {
    return {
        [CONTRACT_TYPE]: (contract) => {
            const reuse = contract.get<{ wish: ReuseWish; found?: ExistingInstance }>("reuse");
            if (reuse === undefined) return [];
            return judgeReuse(reuse.wish, reuse.found)
                .filter(({ code }) => codes.includes(code))
                .map(({ message, remedy }) => ({ message, remedy }));
        },
    };
}
