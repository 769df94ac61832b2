/** What a Service means for the other kind of load balancer: pure functions over the annotation tables. */
export { compareKinds, type KindDifference, type KindSubject, needsChange } from "./compare";
