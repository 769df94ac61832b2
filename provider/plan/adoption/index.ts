/** Taking over a load balancer that is there: what differs, and how it is told. */
export { type Attributes, compareAttributes, compareBackends } from "./compare";
export { formatDivergences, formatRefusal, isRefused } from "./report";
