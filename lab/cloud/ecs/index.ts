import type { Action } from "../actions";
import { instanceActions } from "./instances";
import { securityGroupActions } from "./security-groups";

/** Elastic Compute Service, API version 2014-05-26: the machines and interfaces that become backends. */
export const ecsActions: readonly Action[] = [...instanceActions, ...securityGroupActions];
