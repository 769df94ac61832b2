/** Session persistence of HTTP and HTTPS listeners of a CLB. */
import type { Settings } from "../schema/settings";

/** Session persistence of HTTP and HTTPS listeners. */
export type StickySession =
    | { readonly kind: "off" }
    /** Cookie of the load balancer. `timeout` is in seconds. */
    | { readonly kind: "insert"; readonly timeout: number }
    /** Cookie of the backend. */
    | { readonly kind: "server"; readonly cookie: string };

/** Relies on rules to refuse session persistence unless it has a type, and a timeout or a cookie. */
export function buildStickySession(settings: Settings): StickySession {
    const { stickySession, stickySessionType, cookieTimeout, cookie } = settings;
    if (stickySession !== "on") return { kind: "off" };
    if (stickySessionType === "insert" && cookieTimeout !== undefined)
        return { kind: "insert", timeout: cookieTimeout };
    return stickySessionType === "server" && cookie !== undefined ? { kind: "server", cookie } : { kind: "off" };
}

export function stickyArguments(session: StickySession) {
    if (session.kind === "off") return { stickySession: "off" };
    const stored = session.kind === "insert" ? { cookieTimeout: session.timeout } : { cookie: session.cookie };
    return { stickySession: "on", stickySessionType: session.kind, ...stored };
}

export function observedSession(
    word: (name: string) => string | undefined,
    count: (name: string) => number | undefined,
): StickySession {
    if (word("StickySession") !== "on") return { kind: "off" };
    return word("StickySessionType") === "server"
        ? { kind: "server", cookie: word("Cookie") ?? "" }
        : { kind: "insert", timeout: count("CookieTimeout") ?? 0 };
}
