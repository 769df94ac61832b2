import { administration } from "./administration";
import { backend } from "./backend";
import { healthCheck } from "./health-check";
import { http } from "./http";
import { instance } from "./instance";
import { listener } from "./listener";

/** Every annotation that a CLB has. */
export const clb = { ...instance, ...administration, ...listener, ...http, ...healthCheck, ...backend };
