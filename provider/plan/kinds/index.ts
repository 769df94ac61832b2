/** What a Service means for the other kind of load balancer: pure functions over the annotation tables. */
export { compareKinds, needsChange } from "./compare";
export type { KindDifference, KindSubject } from "./difference";
