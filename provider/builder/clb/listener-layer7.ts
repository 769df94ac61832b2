import type { Settings } from "../../schema/settings";
import type { Layer7, StickySession, Tls } from "../../model/clb/listener";

/** Documented defaults, seconds. Source: "Configure CLB using annotations", idle connection timeout and request timeout. */
const DEFAULTS = { idleTimeout: 15, requestTimeout: 60, cipherPolicy: "tls_cipher_policy_1_0" } as const;

/** What an HTTP or HTTPS listener has beside the rest. */
export function buildLayer7(settings: Settings): Layer7 {
    return {
        stickySession: buildStickySession(settings),
        idleTimeout: settings.idleTimeout ?? DEFAULTS.idleTimeout,
        requestTimeout: settings.requestTimeout ?? DEFAULTS.requestTimeout,
        forwardedFor: {
            protocol: settings.xforwardedforProto === "on",
            listenerPort: settings.xforwardedforSlbport === "on",
            clientPort: settings.xforwardedforClientsrcport === "on",
        },
    };
}

/** The rules see to it that type, and timeout or cookie, are there where session persistence is on. */
function buildStickySession({ stickySession, stickySessionType, cookieTimeout, cookie }: Settings): StickySession {
    if (stickySession === "on" && stickySessionType === "insert" && cookieTimeout !== undefined) {
        return { kind: "insert", timeout: cookieTimeout };
    }
    if (stickySession === "on" && stickySessionType === "server" && cookie !== undefined) {
        return { kind: "server", cookie };
    }
    return { kind: "off" };
}

/** What an HTTPS listener has beside that. The rules see to it that there is a certificate. */
export function buildTls(settings: Settings): Tls {
    return {
        certId: settings.certId ?? "",
        cipherPolicy: settings.tlsCipherPolicy ?? DEFAULTS.cipherPolicy,
        http2: settings.http2Enabled !== "off",
        domains: settings.domainExtensions ?? [],
    };
}
