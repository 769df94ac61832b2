import type { Action } from "../actions";
import { aclActions } from "./acls";
import { certificateActions } from "./certificates";
import { domainExtensionActions } from "./domain-extensions";
import { healthActions } from "./health";
import { listenerActions } from "./listeners";
import { loadBalancerActions } from "./load-balancers";
import { serverGroupActions } from "./server-groups";
import { tagActions } from "./tags";

/** Classic Load Balancer, API version 2014-05-15. */
export const slbActions: readonly Action[] = [
    ...loadBalancerActions,
    ...listenerActions,
    ...serverGroupActions,
    ...healthActions,
    ...aclActions,
    ...certificateActions,
    ...domainExtensionActions,
    ...tagActions,
];
