import type { ValueMap } from "../../terraform/value";
import { either, list, output, required, text, texts, whole } from "../../terraform/shorthand";
import type { FunctionType } from "../../types/type";
import { listOf, numberOf, objectOf, textOf } from "../../types/values";
import { callTyped, filterOf, filterSchema, finish } from "../common";

const source = "alicloud_slb_master_slave_server_groups";

export const slbMasterSlaveServerGroups: FunctionType = {
    token: "alicloud:slb/getMasterSlaveServerGroups:getMasterSlaveServerGroups",
    schema: {
        ...filterSchema,
        load_balancer_id: text(required),
        ids: texts({ ...either, minItems: 1 }),
        groups: list(
            {
                id: text(output),
                name: text(output),
                servers: list(
                    {
                        instance_id: text(output),
                        weight: whole(output),
                        port: whole(output),
                        server_type: text(output),
                        is_backup: whole({
                            ...output,
                            removed: "Field 'is_backup' has been removed from provider version 1.63.0.",
                        }),
                    },
                    output,
                ),
            },
            output,
        ),
    },
    async read(data, client) {
        const answer = await callTyped(
            client,
            source,
            "DescribeMasterSlaveServerGroups",
            { LoadBalancerId: data.text("load_balancer_id") },
            113,
        );
        const isWanted = filterOf(data);
        const groups: ValueMap[] = [];
        for (const group of listOf(objectOf(answer["MasterSlaveServerGroups"])["MasterSlaveServerGroup"])) {
            const [id, name] = [textOf(group["MasterSlaveServerGroupId"]), textOf(group["MasterSlaveServerGroupName"])];
            if (!isWanted(id, name)) continue;
            const details = await callTyped(
                client,
                source,
                "DescribeMasterSlaveServerGroupAttribute",
                { MasterSlaveServerGroupId: id },
                165,
            );
            // The port is not handed over, although there is an attribute for it.
            groups.push({
                id,
                name,
                servers: listOf(objectOf(details["MasterSlaveBackendServers"])["MasterSlaveBackendServer"]).map(
                    (server) => ({
                        instance_id: textOf(server["ServerId"]),
                        weight: numberOf(server["Weight"]),
                        server_type: textOf(server["ServerType"]),
                    }),
                ),
            });
        }
        finish(
            data,
            groups.map((group) => String(group["id"])),
            { groups, names: groups.map((group) => group["name"]) },
        );
    },
};
