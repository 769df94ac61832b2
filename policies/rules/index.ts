/** Every rule, in the order of the documentation. */

import type { Rule } from "../rule";
import { ACCESS } from "./access";
import { ADDRESS } from "./address";
import { ANNOTATIONS } from "./annotations";
import { BACKENDS } from "./backends";
import { CHANGE } from "./change";
import { EDGE } from "./edge";
import { EXPOSURE } from "./exposure";
import { IMMUTABILITY } from "./immutability";
import { LIFECYCLE } from "./lifecycle";
import { NAMING } from "./naming";
import { PROTECTION } from "./protection";
import { QUOTA } from "./quota";
import { REUSE } from "./reuse";

export const RULES: readonly Rule[] = [
    ...[ANNOTATIONS, LIFECYCLE, IMMUTABILITY, CHANGE, ADDRESS, REUSE, EXPOSURE],
    ...[PROTECTION, ACCESS, BACKENDS, EDGE, QUOTA, NAMING],
].flat();
