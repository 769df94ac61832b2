/** Every edge where data of unknown shape comes in. */
import { OBSERVED } from "./answers";
import { CLUSTER } from "./cluster";
import { CONFIG } from "./config";
import { MANIFESTS } from "./manifests";
import { POLICIES } from "./policies";
import type { Target } from "../target";

export const TARGETS: readonly Target[] = [...CONFIG, ...MANIFESTS, ...POLICIES, ...OBSERVED, ...CLUSTER];
