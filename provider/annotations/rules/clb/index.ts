/** Rules for a CLB. */
import type { Rule } from "../context";
import { ipv6, vswitch } from "./address";
import { certificate, domains } from "./certificate";
import { bandwidth, disputedDefault, specification, traffic } from "./charge";
import { cookie } from "./cookie";
import { forwardPort } from "./forward-port";
import { checkedByTcp, checkType, timeouts, unchecked } from "./health-check";
import { hostname } from "./hostname";
import { networkType } from "./network";
import { scheduler } from "./scheduler";

export const clbRules: readonly Rule[] = [
    specification,
    disputedDefault,
    bandwidth,
    traffic,
    hostname,
    networkType,
    ipv6,
    vswitch,
    certificate,
    domains,
    forwardPort,
    cookie,
    scheduler,
    timeouts,
    unchecked,
    checkedByTcp,
    checkType,
];
