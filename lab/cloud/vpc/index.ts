import type { Action } from "../actions";
import { networkActions } from "./networks";
import { publicAddressActions } from "./public-addresses";

/** Virtual Private Cloud, API version 2016-04-28: what load balancers need of it. */
export const vpcActions: readonly Action[] = [...networkActions, ...publicAddressActions];
