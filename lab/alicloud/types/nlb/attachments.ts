/** The types that tie one thing to a listener or a load balancer; their ids have two parts. */
import type { Client } from "../../sdk/client";
import { failed, isNotFound, isOneOf } from "../../sdk/errors";
import { waitFor } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import { fixed, flag, optional, output, required, text } from "../../terraform/shorthand";
import type { ResourceType } from "../type";
import { valueOf } from "../values";
import { call, halves, missing, needSome, presentArguments, readable, service, stateOf, waitForJob } from "./common";

const timeouts = { create: 300, update: 300, delete: 300 };

/** Only the dry-run switch can change, and that is not in the cloud. */
async function updateNothing(): Promise<void> {
    // Nothing to send.
}

const dryRun = (data: ResourceData) => presentArguments(data, { dry_run: "DryRun" });

const certificateFile = "resource_alicloud_nlb_listener_additional_certificate_attachment.go";

async function describeCertificate(client: Client, id: string): Promise<Answer> {
    const what = "ListenerAdditionalCertificateAttachment";
    const [listener, certificate] = halves(id);
    const answer = await call(
        client,
        "ListListenerCertificates",
        { ListenerId: listener },
        { token: false, fail: { place: `${service}:121`, subject: id } },
    );
    const found = needSome(answer, "Certificates", what, id, [126, 130]).find(
        (one) => String(one["CertificateId"]) === certificate,
    );
    if (found === undefined) throw missing(what, id, `${service}:141`, answer);
    return found;
}

async function readCertificate(data: ResourceData, client: Client): Promise<void> {
    const object = await readable(data, `${certificateFile}:110`, () => describeCertificate(client, data.id));
    if (object === undefined) return;
    if (object["Status"] !== undefined) data.set("status", valueOf(object["Status"]));
    if (object["CertificateId"] !== undefined) data.set("certificate_id", valueOf(object["CertificateId"]));
    data.set("listener_id", halves(data.id)[0]);
}

export const nlbListenerAdditionalCertificateAttachment: ResourceType = {
    token: "alicloud:nlb/listenerAdditionalCertificateAttachment:ListenerAdditionalCertificateAttachment",
    schema: {
        certificate_id: text(fixed(required)),
        dry_run: flag(optional),
        listener_id: text(fixed(required)),
        status: text(output),
    },
    timeouts,
    async create(data, client) {
        const [ListenerId, certificate] = [data.text("listener_id"), data.text("certificate_id")];
        await call(
            client,
            "AssociateAdditionalCertificatesWithListener",
            { ListenerId, "AdditionalCertificateIds.1": certificate, ...dryRun(data) },
            {
                limit: data.timeout("create"),
                fail: {
                    place: `${certificateFile}:85`,
                    subject: "alicloud_nlb_listener_additional_certificate_attachment",
                },
            },
        );
        data.id = `${ListenerId}:${certificate}`;
        await waitFor(client.clock, data.id, `${certificateFile}:93`, {
            target: ["Associated"],
            limit: data.timeout("create"),
            delay: 5,
            look: () => stateOf(() => describeCertificate(client, data.id), "Status", 151),
        });
        await readCertificate(data, client);
    },
    read: readCertificate,
    update: updateNothing,
    async delete(data, client) {
        const action = "DisassociateAdditionalCertificatesWithListener";
        const [ListenerId, certificate] = halves(data.id);
        let answer: Answer;
        try {
            answer = await call(
                client,
                action,
                { ListenerId, "AdditionalCertificateIds.1": certificate, ...dryRun(data) },
                { limit: data.timeout("delete") },
            );
        } catch (error) {
            if (isNotFound(error) || isOneOf(error, "ResourceNotFound.listener", "ResourceNotFound.loadbalancer"))
                return;
            throw failed(error, `${certificateFile}:169`, data.id, action);
        }
        await waitForJob(data, client, answer, {
            place: `${certificateFile}:175`,
            limit: data.timeout("delete"),
            delay: 5,
        });
    },
};

const groupFile = "resource_alicloud_nlb_load_balancer_security_group_attachment.go";

/** The load balancer of an attachment; here its id goes into the query. */
const describeBalancer = (client: Client, id: string, line: number): Promise<Answer> =>
    call(
        client,
        "GetLoadBalancerAttribute",
        {},
        { query: { LoadBalancerId: halves(id)[0] }, fail: { place: `${service}:${line}`, subject: id } },
    );

async function describeGroup(client: Client, id: string): Promise<Answer> {
    const answer = await describeBalancer(client, id, 240);
    const groups = Array.isArray(answer["SecurityGroupIds"]) ? answer["SecurityGroupIds"] : [];
    if (!groups.includes(halves(id)[1]))
        throw missing("LoadBalancerSecurityGroupAttachment", id, `${service}:250`, answer);
    return answer;
}

async function readGroup(data: ResourceData, client: Client): Promise<void> {
    if ((await readable(data, `${groupFile}:108`, () => describeGroup(client, data.id))) === undefined) return;
    const [balancer, group] = halves(data.id);
    data.set("load_balancer_id", balancer);
    data.set("security_group_id", group);
}

export const nlbLoadBalancerSecurityGroupAttachment: ResourceType = {
    token: "alicloud:nlb/loadBalancerSecurityGroupAttachment:LoadBalancerSecurityGroupAttachment",
    schema: {
        dry_run: flag(optional),
        load_balancer_id: text(fixed(required)),
        security_group_id: text(fixed(required)),
    },
    timeouts,
    async create(data, client) {
        const [LoadBalancerId, group] = [data.text("load_balancer_id"), data.text("security_group_id")];
        const limit = data.timeout("create");
        const answer = await call(
            client,
            "LoadBalancerJoinSecurityGroup",
            { LoadBalancerId, "SecurityGroupIds.1": group, ...dryRun(data) },
            {
                limit,
                also: ["Conflict.Lock", "OperationFailed.ResourceIsConfiguring"],
                fail: { place: `${groupFile}:83`, subject: "alicloud_nlb_load_balancer_security_group_attachment" },
            },
        );
        data.id = `${LoadBalancerId}:${group}`;
        await waitForJob(data, client, answer, { place: `${groupFile}:91`, limit, delay: 5, strictLine: 282 });
        await readGroup(data, client);
    },
    read: readGroup,
    update: updateNothing,
    async delete(data, client) {
        const [LoadBalancerId, group] = halves(data.id);
        const answer = await call(
            client,
            "LoadBalancerLeaveSecurityGroup",
            { LoadBalancerId, "SecurityGroupIds.1": group, ...dryRun(data) },
            {
                limit: data.timeout("delete"),
                also: ["Conflict.Lock"],
                fail: { place: `${groupFile}:163`, subject: data.id },
            },
        );
        await waitForJob(data, client, answer, {
            place: `${groupFile}:169`,
            limit: data.timeout("create"),
            delay: 5,
            strictLine: 282,
        });
    },
};

const packageFile = "resource_alicloud_nlb_loadbalancer_common_bandwidth_package_attachment.go";

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
