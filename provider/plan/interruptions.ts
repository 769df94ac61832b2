/** Values by setting, as `disruptiveFields` returns them. */
type Facts = Readonly<Record<string, string>>;

/**
 * Consequence of a change for connections, by setting. Source: "Configure CLB using annotations" and that of NLB, Proxy
 * Protocol, redirects and backend types.
 */
const CONSEQUENCES: readonly [RegExp, string][] = [
    [
        /^proxyProtocol$/,
        "Proxy Protocol cannot be switched while traffic flows, since load balancer and backends have to change " +
            "at the same moment",
    ],
    [/^(?:backendType|serverGroupType)$/, "the server groups are made anew, and every backend with them"],
    [/^listener /, "the listener is deleted and created again, and its connections break"],
    [
        /^addressType$/,
        "who reached the load balancer by its old addresses no longer does, until its DNS name is looked up again",
    ],
    [/^zone /, "the load balancer leaves its address in the zone, and connections to it break"],
];

/** Settings that interrupt traffic when they are removed. */
const LEAVING = /^zone /;

/** Returns the interruptions of a change, one sentence each. New and unknown values interrupt nothing. */
export function interruptions(before: Facts | undefined, after: Facts | undefined): string[] {
    return Object.entries(before ?? {}).flatMap(([setting, was]) => {
        const is = after?.[setting];
        const consequence = CONSEQUENCES.find(([pattern]) => pattern.test(setting))?.[1];
        if (is === was || consequence === undefined) return [];
        if (is === undefined) return LEAVING.test(setting) ? [`${setting} is given up: ${consequence}`] : [];
        return [`${setting} changes from "${was}" to "${is}": ${consequence}`];
    });
}

/** Remedy of an interruption. */
export const INTERRUPTION_REMEDY =
    "Make the change in a maintenance window, or move the traffic to a second Service first";
