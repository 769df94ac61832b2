import { expect, test } from "@jest/globals";
import { casesOf, differences, replay, type Replayed } from "./corpus";

/** Things that this cloud decides for itself, or that the recorder made up. */
const OWN_CHOICE = new Set([
    "RequestId",
    "CreateTime",
    "CreateTimeStamp",
    // Addresses of NLB zones, and the size of a page that was not requested.
    "PrivateIPv4Address",
    "PublicIPv4Address",
    "Ipv6Address",
    "EnabledTime",
    "MaxResults",
]);

const BENT = [
    "alb-never-active",
    "alb-provisioning",
    "li-born-running",
    "li-delete-lingers",
    "nlb-delete-job",
    "nlb-job-failed",
    "nli-provisioning",
];

/**
 * True for cases with an altered cloud: truncated responses, prescribed statuses, objects that never appear or
 * disappear.
 */
function bent(id: string): boolean {
    return id.startsWith("min-") || BENT.includes(id);
}

/** Known differences, with the reason. */
function expected(id: string, action: string, path: string): boolean {
    // A UDP listener has no HTTP health check, and settings that do not fit the protocol are ignored. The recorder kept
    // it.
    if (action === "DescribeLoadBalancerUDPListenerAttribute") return /^\.HealthCheck(URI|HttpCode):/.test(path);
    // The servers of the recordings are unknown here, so their addresses are too.
    if (action === "ListServerGroupServers") return path.startsWith(".Servers[].ServerIp:");
    // Documented: UDP listeners time out after 90 seconds, and a TCPSSL listener cannot use a group that preserves
    // client addresses.
    if (id === "nli-udp-min" && path.startsWith(".IdleTimeout:")) return true;
    if (id === "nsg-tcpssl" && path.startsWith(".ServerGroups[].PreserveClientIpEnabled:")) return true;
    // An intranet instance has no public addresses, which the recorder left in place.
    if (id === "nlb-many" && path.includes(".AllocationId:")) return true;
    // IPv6 instances get an IPv6 address here.
    return id === "alb-internet-ipv6" && path.startsWith(".Address:");
}

function compare(id: string, rows: readonly Replayed[]): void {
    for (const { call, params, desired, wantedStatus, status, body } of rows) {
        const where = `${id}: ${call.action} ${JSON.stringify(params)}`;
        // The gateway refuses a call without its id before the product sees it, unlike the recorder's cloud.
        const withoutId = (body as { Code?: string }).Code?.startsWith("Missing") === true && wantedStatus !== 200;
        if (withoutId) continue;
        expect([where, body, status]).toStrictEqual([where, body, wantedStatus]);
        if (wantedStatus !== 200) {
            expect([where, (body as { Code: string }).Code]).toStrictEqual([where, (desired as { Code: string }).Code]);
            continue;
        }
        if (typeof desired !== "object") continue;
        const paths = differences(desired, body, OWN_CHOICE).filter((path) => !expected(id, call.action, path));
        expect([where, paths]).toStrictEqual([where, []]);
    }
}

for (const folder of new Set(casesOf(["slb.", "nlb."]).map((c) => c.folder))) {
    test(`${folder}: recorded calls of the plugin have the recorded outcome and fields`, async () => {
        const cases = casesOf([folder]).filter((c) => !bent(c.id));
        expect(cases.length).toBeGreaterThan(0);
        for (const recorded of cases) compare(recorded.id, await replay(recorded));
    });
}
