/** What the cloud says of a load balancer that is to be taken over. Reads alone. */
export { observeClbForAdoption } from "./clb";
export { observeNlbForAdoption } from "./nlb";
export type { AdoptionQuery } from "./instance";
