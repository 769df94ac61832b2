/** Every edge where data of unknown shape comes in. */
import { OBSERVED } from "./answers";
import { CLUSTER } from "./cluster";
import { CONFIG } from "./config";
import { COST } from "./cost";
import { HOSTILE } from "./hostile";
import { MANIFESTS } from "./manifests";
import { POLICIES } from "./policies";
import { PRINTED } from "./printed";
import { WATCH } from "./watch";
import type { Target } from "../target";

export const TARGETS: readonly Target[] = [
    ...CONFIG,
    ...MANIFESTS,
    ...POLICIES,
    ...OBSERVED,
    ...CLUSTER,
    ...HOSTILE,
    ...PRINTED,
    ...WATCH,
    ...COST,
];
