import type { Answer } from "../../sdk/tea";
import type { SchemaMap } from "../../terraform/schema";
import type { ValueMap } from "../../terraform/value";
import { either, flag, list, map, optional, output, text, texts, whole } from "../../terraform/shorthand";
import { plainOneOf } from "../../terraform/validators";
import { tagMap } from "../../types/tags";
import type { FunctionType } from "../../types/type";
import { goText, numberOf, objectOf, valueOf } from "../../types/values";
import { copied, filterOf, filterSchema, finish, givenArguments, listAll, tagFilter } from "../common";

const healthCheckFields = {
    health_check_connect_port: "HealthCheckConnectPort",
    health_check_connect_timeout: "HealthCheckConnectTimeout",
    health_check_domain: "HealthCheckDomain",
    health_check_enabled: "HealthCheckEnabled",
    health_check_interval: "HealthCheckInterval",
    health_check_type: "HealthCheckType",
    health_check_url: "HealthCheckUrl",
    health_check_http_version: "HealthCheckHttpVersion",
    healthy_threshold: "HealthyThreshold",
    unhealthy_threshold: "UnhealthyThreshold",
    http_check_method: "HttpCheckMethod",
    health_check_http_code: "HealthCheckHttpCode",
};

const healthCheckSchema: SchemaMap = {
    health_check_connect_port: whole(output),
    health_check_connect_timeout: whole(output),
    health_check_domain: text(output),
    health_check_enabled: flag(output),
    health_check_http_code: texts(output),
    health_check_interval: whole(output),
    health_check_type: text(output),
    health_check_http_version: text(output),
    health_check_url: text(output),
    healthy_threshold: whole(output),
    unhealthy_threshold: whole(output),
    http_check_method: text(output),
};

function groupOf(found: Answer): ValueMap {
    const check = objectOf(found["HealthCheck"]);
    return {
        ...copied(found, {
            address_ip_version: "AddressIPVersion",
            protocol: "Protocol",
            related_load_balancer_ids: "RelatedLoadBalancerIds",
            scheduler: "Scheduler",
            server_group_name: "ServerGroupName",
            status: "ServerGroupStatus",
            id: "ServerGroupId",
            vpc_id: "VpcId",
            server_group_type: "ServerGroupType",
            connection_drain: "ConnectionDrainEnabled",
            resource_group_id: "ResourceGroupId",
            preserve_client_ip_enabled: "PreserveClientIpEnabled",
        }),
        connection_drain_timeout: numberOf(found["ConnectionDrainTimeout"]),
        server_count: numberOf(found["ServerCount"]),
        health_check: Object.keys(check).length === 0 ? [] : [copied(check, healthCheckFields)],
        tags: tagMap(found["Tags"]),
    };
}

export const nlbServerGroups: FunctionType = {
    token: "alicloud:nlb/getServerGroups:getServerGroups",
    schema: {
        ...filterSchema,
        resource_group_id: text(optional),
        server_group_names: texts(optional),
        server_group_type: text({ ...optional, validate: plainOneOf("Instance", "Ip") }),
        status: text({ ...optional, validate: plainOneOf("Available", "Configuring", "Creating") }),
        tags: map(optional),
        groups: list(
            {
                address_ip_version: text(output),
                connection_drain: flag(output),
                connection_drain_timeout: whole(output),
                health_check: list(healthCheckSchema, output),
                protocol: text(output),
                related_load_balancer_ids: texts(output),
                scheduler: text(output),
                server_count: whole(output),
                server_group_name: text(output),
                server_group_type: text(output),
                status: text(output),
                tags: map(output),
                id: text(output),
                vpc_id: text(output),
                resource_group_id: text(output),
                preserve_client_ip_enabled: flag(output),
            },
            output,
        ),
    },
    async read(data, client) {
        const { found } = await listAll(
            data,
            client,
            {
                product: "nlb",
                action: "ListServerGroups",
                list: "$.ServerGroups",
                source: "alicloud_nlb_server_groups",
                lines: [245, 252],
                pages: "token",
            },
            {
                ...givenArguments(data, {
                    resource_group_id: "ResourceGroupId",
                    server_group_names: "ServerGroupNames",
                    server_group_type: "ServerGroupType",
                }),
                ...tagFilter(data),
            },
        );
        const isWanted = filterOf(data);
        const status = data.given("status");
        const groups = found.filter(
            (group) =>
                isWanted(group["ServerGroupId"], group["ServerGroupName"]) &&
                (status === undefined || status === group["ServerGroupStatus"]),
        );
        finish(
            data,
            groups.map((group) => goText(group["ServerGroupId"])),
            {
                groups: groups.map(groupOf),
                names: groups.map((group) => valueOf(group["ServerGroupName"])),
            },
        );
    },
};

const attachmentId = (server: Answer): string =>
    ["ServerGroupId", "ServerId", "ServerType", "Port"].map((field) => goText(server[field])).join(":");

export const nlbServerGroupServerAttachments: FunctionType = {
    token: "alicloud:nlb/getServerGroupServerAttachments:getServerGroupServerAttachments",
    schema: {
        server_group_id: text(optional),
        server_ids: texts(optional),
        server_ips: texts(optional),
        ids: texts(either),
        output_file: text(optional),
        attachments: list(
            {
                id: text(output),
                description: text(output),
                port: whole(output),
                server_group_id: text(output),
                server_id: text(output),
                server_ip: text(output),
                server_type: text(output),
                status: text(output),
                weight: whole(output),
                zone_id: text(output),
            },
            output,
        ),
    },
    async read(data, client) {
        const { found } = await listAll(
            data,
            client,
            {
                product: "nlb",
                action: "ListServerGroupServers",
                list: "$.Servers",
                source: "alicloud_nlb_server_group_server_attachments",
                lines: [146, 150],
                pages: "token",
            },
            {
                RegionId: undefined,
                MaxResults: 50,
                ...givenArguments(data, {
                    server_group_id: "ServerGroupId",
                    server_ids: "ServerIds",
                    server_ips: "ServerIps",
                }),
            },
        );
        const isWanted = filterOf(data);
        const servers = found.filter((server) => isWanted(attachmentId(server)));
        finish(data, servers.map(attachmentId), {
            attachments: servers.map((server) => ({
                ...copied(server, {
                    description: "Description",
                    server_group_id: "ServerGroupId",
                    server_id: "ServerId",
                    server_ip: "ServerIp",
                    server_type: "ServerType",
                    status: "Status",
                    zone_id: "ZoneId",
                }),
                id: attachmentId(server),
                port: numberOf(server["Port"]),
                weight: numberOf(server["Weight"]),
            })),
        });
    },
};
