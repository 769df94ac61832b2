import { backend } from "./backend";
import { instance } from "./instance";
import { listener } from "./listener";
import { healthCheck, serverGroup } from "./server-group";

/** Every annotation that an NLB has. */
export const nlb = { ...instance, ...listener, ...serverGroup, ...healthCheck, ...backend };
