import type { ValueMap } from "../../terraform/value";
import { either, list, output, required, text, texts, whole } from "../../terraform/shorthand";
import type { FunctionType } from "../../types/type";
import { listOf, numberOf, objectOf, textOf } from "../../types/values";
import { callTyped, filterOf, filterSchema, finish } from "../common";

const source = "alicloud_slb_server_groups";

export const slbServerGroups: FunctionType = {
    token: "alicloud:slb/getServerGroups:getServerGroups",
    schema: {
        ...filterSchema,
        load_balancer_id: text(required),
        ids: texts({ ...either, minItems: 1 }),
        slb_server_groups: list(
            {
                id: text(output),
                name: text(output),
                servers: list({ instance_id: text(output), weight: whole(output) }, output),
            },
            output,
        ),
    },
    async read(data, client) {
        const answer = await callTyped(
            client,
            source,
            "DescribeVServerGroups",
            { LoadBalancerId: data.text("load_balancer_id") },
            100,
        );
        const isWanted = filterOf(data);
        const groups: ValueMap[] = [];
        for (const group of listOf(objectOf(answer["VServerGroups"])["VServerGroup"])) {
            const [id, name] = [textOf(group["VServerGroupId"]), textOf(group["VServerGroupName"])];
            if (!isWanted(id, name)) continue;
            const details = await callTyped(
                client,
                source,
                "DescribeVServerGroupAttribute",
                { VServerGroupId: id },
                152,
            );
            groups.push({
                id,
                name,
                servers: listOf(objectOf(details["BackendServers"])["BackendServer"]).map((server) => ({
                    instance_id: textOf(server["ServerId"]),
                    weight: numberOf(server["Weight"]),
                })),
            });
        }
        finish(
            data,
            groups.map((group) => String(group["id"])),
            { slb_server_groups: groups, names: groups.map((group) => group["name"]) },
        );
    },
};
