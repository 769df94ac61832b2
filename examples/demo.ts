/** `make demo`. */
import { QUICKSTART } from "./quickstart/demo";
import { perform } from "./stage";
import { SYNC } from "./sync/demo";

perform(QUICKSTART, SYNC);
