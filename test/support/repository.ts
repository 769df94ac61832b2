import * as path from "node:path";

/** Root of the repository, the same for sources and for what is compiled from them. */
export const REPOSITORY = path.dirname(require.resolve("ack-loadbalancer/package.json"));
