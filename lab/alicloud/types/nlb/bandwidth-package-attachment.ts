import type { Client } from "../../sdk/client";
import { waitFor } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import { fixed, output, required, text } from "../../terraform/shorthand";
import { readable } from "../readable";
import type { ResourceType } from "../type";
import { valueOf } from "../values";
import { call, halves, missing, service, stateOf } from "./common";

const packageFile = "resource_alicloud_nlb_loadbalancer_common_bandwidth_package_attachment.go";

/** Describes the load balancer of an attachment, whose id goes into the query here. */
const describeBalancer = (client: Client, id: string, line: number): Promise<Answer> =>
    call(
        client,
        "GetLoadBalancerAttribute",
        {},
        { query: { LoadBalancerId: halves(id)[0] }, fail: { place: `${service}:${line}`, subject: id } },
    );

async function describePackage(client: Client, id: string): Promise<Answer> {
    const answer = await describeBalancer(client, id, 54);
    if (answer["BandwidthPackageId"] === "") {
        throw missing("LoadbalancerCommonBandwidthPackageAttachment", id, `${service}:59`, answer);
    }
    return answer;
}

const waitForPackage = (
    data: ResourceData,
    client: Client,
    wait: { field: string; target: string; line: number; limit: number },
): Promise<void> =>
    waitFor(client.clock, data.id, `${packageFile}:${wait.line}`, {
        target: [wait.target],
        limit: wait.limit,
        delay: 5,
        look: () => stateOf(() => describePackage(client, data.id), wait.field, 72),
    });

async function readPackage(data: ResourceData, client: Client): Promise<void> {
    const object = await readable(data, `${packageFile}:103`, () => describePackage(client, data.id));
    if (object === undefined) return;
    data.set("status", valueOf(object["LoadBalancerStatus"]));
    data.set("bandwidth_package_id", valueOf(object["BandwidthPackageId"]));
    data.set("load_balancer_id", valueOf(object["LoadBalancerId"]));
}

export const nlbLoadbalancerCommonBandwidthPackageAttachment: ResourceType = {
    token: "alicloud:nlb/loadbalancerCommonBandwidthPackageAttachment:LoadbalancerCommonBandwidthPackageAttachment",
    schema: {
        bandwidth_package_id: text(fixed(required)),
        load_balancer_id: text(fixed(required)),
        status: text(output),
    },
    timeouts: { create: 300, delete: 300 },
    async create(data, client) {
        const [LoadBalancerId, BandwidthPackageId] = [data.text("load_balancer_id"), data.text("bandwidth_package_id")];
        const limit = data.timeout("create");
        await call(
            client,
            "AttachCommonBandwidthPackageToLoadBalancer",
            { LoadBalancerId, BandwidthPackageId },
            {
                limit,
                fail: {
                    place: `${packageFile}:78`,
                    subject: "alicloud_nlb_loadbalancer_common_bandwidth_package_attachment",
                },
            },
        );
        data.id = `${LoadBalancerId}:${BandwidthPackageId}`;
        await waitForPackage(data, client, { field: "LoadBalancerStatus", target: "Active", line: 86, limit });
        await readPackage(data, client);
    },
    read: readPackage,
    async delete(data, client) {
        const [LoadBalancerId, BandwidthPackageId] = halves(data.id);
        const limit = data.timeout("delete");
        await call(
            client,
            "DetachCommonBandwidthPackageFromLoadBalancer",
            { LoadBalancerId, BandwidthPackageId },
            { limit, fail: { place: `${packageFile}:151`, subject: data.id } },
        );
        await waitForPackage(data, client, { field: "BandwidthPackageId", target: "", line: 157, limit });
    },
};
