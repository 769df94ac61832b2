import type { Action } from "../actions";

/** Network Load Balancer, API version 2022-04-30. */
export const nlbActions: readonly Action[] = [];
