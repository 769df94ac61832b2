/** Taking over a load balancer that is there: what differs, and the text of it. */
export { type Attributes, compareAttributes, compareBackends } from "./compare";
export { difference, type Difference, type AdoptionVerdict } from "./difference";
export { formatDifferences, formatRefusal, isRefused } from "./report";
