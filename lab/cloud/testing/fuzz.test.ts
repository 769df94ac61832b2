import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Product } from "../actions";
import { ACTIONS } from "../cloud";
import { Api } from "./api";

/** Values that a careless client may send anywhere. */
const ODD = [
    "",
    "0",
    "-1",
    "99999999999999999999",
    "1.5",
    "true",
    "null",
    "[]",
    "[1]",
    "[null]",
    "{}",
    '{"a":1}',
    "[{}]",
    "[[]]",
    "'",
    "[{'ServerId':'i-1','Port':'80'}]",
    "lb-0001",
    "rsp-0001",
    "nlb-0001",
    "sgp-0001",
    "lsn-0001@80",
    "cn-hangzhou-a",
    "ü\u0000🙂",
];

const product = fc.constantFrom(...(Object.keys(ACTIONS) as Product[]).filter((p) => ACTIONS[p].length > 0));

const call = product.chain((p) =>
    fc.constantFrom(...ACTIONS[p]).chain((action) => {
        const names = [
            ...Object.keys(action.params),
            "BackendServers",
            "Tags",
            "Tag.1.Key",
            "Servers.1.ServerId",
            "Servers.1.Port",
            "AclEntrys",
            "ProxyProtocolV2Config",
            "NextToken",
            "PageNumber",
            "ClientToken",
        ];
        return fc
            .dictionary(fc.constantFrom(...names), fc.constantFrom(...ODD), { maxKeys: 8 })
            .map((params) => ({ product: p, action: action.name, params }));
    }),
);

test("no request causes an internal error", async () => {
    await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 30 }), async (calls) => {
            const api = await Api.create();
            await api.ok("CreateLoadBalancer", { InstanceChargeType: "PayByCLCU" });
            await api.ok("CreateVServerGroup", { LoadBalancerId: "lb-0001" });
            for (const strict of [true, false]) {
                api.world.rules.strict = strict;
                for (const { product: p, action, params } of calls) {
                    const answer = await api.cloud.act(action, params, "other", p);
                    const passes = answer !== "drop" && answer.status < 500;
                    expect([p, action, params, answer, passes]).toStrictEqual([p, action, params, answer, true]);
                }
            }
        }),
        { numRuns: 200 },
    );
});
