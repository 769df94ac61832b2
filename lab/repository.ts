import * as path from "node:path";

/** Root of this repository, the same for the sources and for `dist`. */
export const REPOSITORY = path.dirname(require.resolve("ack-loadbalancer/package.json"));
