/** What an ACK cluster says of itself: which one it is, where it stands, and how its network works. */
export { contradictions, withDiscovered } from "./merge";
export { interpret, PROFILE, type Discovery, type DiscoveredField } from "./interpret";
export { discoverCluster, discoverClusterId } from "./read";
