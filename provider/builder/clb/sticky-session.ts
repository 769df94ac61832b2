import type { Settings } from "../../schema/settings";
import type { StickySession } from "../../model/clb";

/** The rules see to it that type, and timeout or cookie, are there where session persistence is on. */
export function buildStickySession({
    stickySession,
    stickySessionType,
    cookieTimeout,
    cookie,
}: Settings): StickySession {
    if (stickySession === "on" && stickySessionType === "insert" && cookieTimeout !== undefined) {
        return { kind: "insert", timeout: cookieTimeout };
    }
    if (stickySession === "on" && stickySessionType === "server" && cookie !== undefined) {
        return { kind: "server", cookie };
    }
    return { kind: "off" };
}
