import { expect, test } from "@jest/globals";
import type { Version } from "../service";
import { deviations } from "./oracle";

const listener = (attributes: object) => ({
    "slb listeners": [{ loadBalancerId: "id of clb web", protocol: "tcp", port: 80, aclIds: [], attributes }],
});

test("an option that stays set is found", () => {
    const [changed, fresh] = [listener({ HealthCheckSwitch: "off" }), listener({ HealthCheckSwitch: "on" })];
    expect(deviations(changed, fresh)).toStrictEqual([
        'slb listeners, id of clb web tcp 80, attributes.HealthCheckSwitch: "off", but at first "on"',
    ]);
});

test("settings may stay while what they are for is off, and not while it is on", () => {
    const drains = (state: string, time?: number) =>
        listener({ ConnectionDrain: state, ...(time && { ConnectionDrainTimeout: time }) });
    expect(deviations(drains("off", 30), drains("off"))).toStrictEqual([]);
    expect(deviations(drains("on", 30), drains("on", 60))).toHaveLength(1);
    expect(deviations(drains("on", 30), drains("off"))).toHaveLength(2);
});

test("an object that is missing, or there twice, is found", () => {
    const one = listener({});
    const twice = { "slb listeners": [...one["slb listeners"], ...one["slb listeners"]] };
    expect(deviations({ "slb listeners": [] }, one)).toHaveLength(1);
    expect(deviations(twice, one)).toHaveLength(1);
});

test("weights may differ only where the Service lets them stay", () => {
    const group = (weight: number, serverId = "i-1") => ({
        "slb vServerGroups": [{ id: "id of group k8s/30080/web/default/c", backends: [{ serverId, weight }] }],
    });
    const service = (value: string): Version => ({
        name: "web",
        ports: ["tcp:80"],
        nodes: ["node-1"],
        annotations: { "ignore-weight-update": value },
    });
    expect(deviations(group(1), group(100), [service("on")])).toStrictEqual([]);
    expect(deviations(group(1), group(100, "i-2"), [service("on")])).toHaveLength(1);
    expect(deviations(group(1), group(100), [service("off")])).toHaveLength(1);
});

test("what the cloud makes up counts for nothing, and neither does the order of lists", () => {
    const zones = (...ids: string[]) => ({
        "nlb loadBalancers": [{ id: "id of nlb web", zones: ids.map((zoneId, eniId) => ({ zoneId, eniId })) }],
    });
    expect(deviations(zones("a", "b"), zones("b", "a"))).toStrictEqual([]);
    expect(deviations(zones("a", "b"), zones("a"))).toHaveLength(1);
});
