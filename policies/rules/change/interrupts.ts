import { disruptiveFacts } from "../../../provider/build";
import { clbDocument, nlbDocument } from "../../../provider/annotations/sources";
import type { ResourceRule } from "../../rule";
import { CONTRACT_TYPE } from "../../types";

type Facts = Readonly<Record<string, string>>;

/** What a change does to connections, by the setting. */
const CONSEQUENCES: readonly [RegExp, string][] = [
    [/^proxyProtocol$/, "Proxy Protocol cannot be switched while traffic flows, since load balancer and backends have to change at the same moment"],
    [/^(?:backendType|serverGroupType)$/, "the server groups are made anew, and every backend with them"],
    [/^listener /, "the listener is deleted and created again, and its connections break"],
    [/^addressType$/, "who reached the load balancer by its old addresses no longer does, until its DNS name is looked up again"],
    [/^zone /, "the load balancer leaves its address in the zone, and connections to it break"],
];

/** What interrupts traffic also by going: other things that go are nobody's any more. */
const LEAVING = /^zone /;

/** Changes that a living load balancer can follow, at the price of an outage. */
export const interrupts: ResourceRule = {
    name: "change-interrupts",
    title: "A change that interrupts traffic is made knowingly: Proxy Protocol, the protocol, redirect or range of a listener, the kind of backends; the zones and the address type of an NLB.",
    group: "change",
    severity: "high",
    level: "advisory",
    remedy: "Make the change in a maintenance window, or move the traffic to a second Service first.",
    source: `${clbDocument("Configure Proxy Protocol")}; ${nlbDocument("Configure Proxy Protocol")}`,
    service: (service) =>
        service.before?.type !== "LoadBalancer" || service.before.loadBalancerType !== service.loadBalancerType
            ? []
            : compare(disruptiveFacts(service.before, service.before.facts), disruptiveFacts(service, service.facts)),
    resources: {
        [CONTRACT_TYPE]: (contract) => compare(contract.get<Facts>("disruptiveBefore"), contract.get<Facts>("disruptive")),
    },
};

/** What is new interrupts nothing. */
function compare(before: Facts | undefined, after: Facts | undefined): string[] {
    return Object.entries(before ?? {}).flatMap(([setting, was]) => {
        const is = after?.[setting];
        const consequence = CONSEQUENCES.find(([pattern]) => pattern.test(setting))?.[1];
        if (is === was || consequence === undefined) return [];
        if (is === undefined) return LEAVING.test(setting) ? [`${setting} is given up: ${consequence}`] : [];
        return [`${setting} changes from "${was}" to "${is}": ${consequence}`];
    });
}
