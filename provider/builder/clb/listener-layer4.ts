import type { Settings } from "../../schema/settings";
import type { Layer4 } from "../../model/clb/listener";

/** After how long an idle TCP connection is closed if nothing is said, seconds. Source: SLB API, CreateLoadBalancerTCPListener, EstablishedTimeout. */
const ESTABLISHED_TIMEOUT = 900;

/** What a TCP or UDP listener has beside the rest. */
export function buildLayer4(settings: Settings, protocol: "tcp" | "udp"): Layer4 {
    const drains = settings.connectionDrain === "on" && settings.connectionDrainTimeout !== undefined;
    return {
        proxyProtocol: settings.proxyProtocol === "on",
        ...(drains ? { drainTimeout: settings.connectionDrainTimeout } : {}),
        ...(protocol === "tcp"
            ? {
                  persistenceTimeout: settings.persistenceTimeout ?? 0,
                  establishedTimeout: settings.establishedTimeout ?? ESTABLISHED_TIMEOUT,
              }
            : {}),
    };
}
