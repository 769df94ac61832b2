import type { Action } from "../actions";
import { healthActions } from "./health";
import { jobActions } from "./jobs";
import { listenerActions } from "./listeners";
import { loadBalancerActions } from "./load-balancers";
import { serverGroupActions } from "./server-groups";
import { serverActions } from "./servers";
import { tagActions } from "./tags";

/**
 * Network Load Balancer, API version 2022-04-30. Changes are jobs, which `settle` applies when due, before each call.
 */
export const nlbActions: readonly Action[] = [
    ...loadBalancerActions,
    ...listenerActions,
    ...serverGroupActions,
    ...serverActions,
    ...tagActions,
    ...healthActions,
    ...jobActions,
];
