import type { Client } from "../../sdk/client";
import type { ValueMap } from "../../terraform/value";
import { either, list, map, optional, output, text, texts, whole } from "../../terraform/shorthand";
import { readTags } from "../../types/slb/tags";
import type { FunctionType } from "../../types/type";
import { listOf, numberOf, objectOf, textOf } from "../../types/values";
import { callTyped, filterOf, filterSchema, finish, tagFilter } from "../common";

const source = "alicloud_slb_acls";

async function aclOf(client: Client, id: string): Promise<ValueMap> {
    const acl = await callTyped(client, source, "DescribeAccessControlListAttribute", { AclId: id }, 190);
    return {
        id: textOf(acl["AclId"]),
        name: textOf(acl["AclName"]),
        ip_version: textOf(acl["AddressIPVersion"]),
        entry_list: listOf(objectOf(acl["AclEntrys"])["AclEntry"]).map((entry) => ({
            entry: textOf(entry["AclEntryIP"]),
            comment: textOf(entry["AclEntryComment"]),
        })),
        related_listeners: listOf(objectOf(acl["RelatedListeners"])["RelatedListener"]).map((listener) => ({
            load_balancer_id: textOf(listener["LoadBalancerId"]),
            protocol: textOf(listener["Protocol"]),
            frontend_port: numberOf(listener["ListenerPort"]),
            acl_type: textOf(listener["AclType"]),
        })),
        resource_group_id: textOf(acl["ResourceGroupId"]),
        tags: await readTags(client, textOf(acl["AclId"]), "acl"),
    };
}

export const slbAcls: FunctionType = {
    token: "alicloud:slb/getAcls:getAcls",
    schema: {
        ...filterSchema,
        ids: texts({ ...either, minItems: 1 }),
        tags: map(optional),
        resource_group_id: text(optional),
        acls: list(
            {
                id: text(output),
                name: text(output),
                ip_version: text(output),
                entry_list: list({ entry: text(output), comment: text(output) }, output),
                related_listeners: list(
                    {
                        load_balancer_id: text(output),
                        frontend_port: whole(output),
                        protocol: text(output),
                        acl_type: text(output),
                    },
                    output,
                ),
                tags: map(optional),
                resource_group_id: text(output),
            },
            output,
        ),
    },
    async read(data, client) {
        const answer = await callTyped(
            client,
            source,
            "DescribeAccessControlLists",
            { ResourceGroupId: data.text("resource_group_id"), ...(tagFilter(data) as Record<string, string>) },
            143,
        );
        const isWanted = filterOf(data);
        const acls: ValueMap[] = [];
        for (const acl of listOf(objectOf(answer["Acls"])["Acl"])) {
            if (isWanted(textOf(acl["AclId"]), textOf(acl["AclName"])))
                acls.push(await aclOf(client, textOf(acl["AclId"])));
        }
        finish(
            data,
            acls.map((acl) => String(acl["id"])),
            { acls, names: acls.map((acl) => acl["name"]) },
        );
    },
};
