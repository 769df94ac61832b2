/** Taking over a load balancer that the Cloud Controller Manager has made: the search, the comparison, and the options of the children. */
export { type AdoptArgs, type AdoptionSearch, findAdoption } from "./find";
export { takeOver } from "../service/take-over";
