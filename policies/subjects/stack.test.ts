import { expect, test } from "@jest/globals";
import { resource } from "../../test/support/policies/case";
import { ACL_ENTRIES_TYPE, ACL_TYPE, CLB_LISTENER_TYPE, NLB_LISTENER_TYPE } from "../../provider/schema/resource-types";
import { NLB_SERVER_GROUP_SERVER_TYPE, NLB_SERVER_GROUP_TYPE } from "../../provider/schema/resource-types";
import { configureRules } from "../rule/config";
import { judgeStack } from "../rule/judge";
import { RULES } from "../rules";

/** Access control lists with a listener each, and server groups of NLBs with a listener and a server each. */
const stackOf = (count: number) =>
    Array.from({ length: count }, (_, at) => [
        resource(ACL_TYPE, { id: `acl-${at}` }, { urn: `acl-${at}` }),
        resource(ACL_ENTRIES_TYPE, { aclId: `acl-${at}`, entries: { "10.0.0.0/8": "shop/web" } }),
        resource(CLB_LISTENER_TYPE, { loadBalancerId: `lb-${at}`, aclStatus: "on", aclIds: [`acl-${at}`] }),
        resource(NLB_SERVER_GROUP_TYPE, { id: `sgp-${at}` }, { urn: `sgp-${at}` }),
        resource(NLB_LISTENER_TYPE, { loadBalancerId: `nlb-${at}`, serverGroupId: `sgp-${at}` }),
        resource(NLB_SERVER_GROUP_SERVER_TYPE, { serverGroupId: `sgp-${at}`, serverId: `i-${at}` }),
    ]).flat();

test("the time to judge a stack grows with its resources, not with their pairs", () => {
    const configured = configureRules(RULES, {});
    const time = (count: number): number => {
        const stack = stackOf(count);
        const { user } = process.cpuUsage();
        judgeStack(configured, stack);
        return process.cpuUsage().user - user;
    };
    time(100);
    const ratio = () => time(400) / time(50);
    // Other processes can only add to a measurement. Pairs would take 64 times as long, and resources take 8 times.
    expect(Math.min(ratio(), ratio(), ratio())).toBeLessThan(24);
});
