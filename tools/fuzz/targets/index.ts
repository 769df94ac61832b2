/** Every edge where data of unknown shape comes in. */
import { OBSERVED } from "./answers";
import { MANIFESTS } from "./manifests";
import { POLICIES } from "./policies";
import type { Target } from "../target";

export const TARGETS: readonly Target[] = [...MANIFESTS, ...POLICIES, ...OBSERVED];
