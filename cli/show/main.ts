/** `ack-loadbalancer show`: shows Services and their load balancers, and changes nothing. */

import { byText, defined } from "../../provider/schema/defined";
import { listenerName } from "../../provider/schema/listener-address";
import { isOwnershipKey, sameService } from "../../provider/schema/names";
import type { Page, Section } from "../command/page";
import { count, type Output } from "../command/output";
import { addressTypeOf } from "../../provider/service/controller";
import type { ServiceObject } from "../../provider/service/objects";
import { LOCAL_PORT_REMEDY, localNodePorts } from "../../provider/service/ports";
import { type GroupView, backendsOfGroups, labelsOf, markOf } from "../inspect/groups";
import { addressesOf, chosenTypeOf, type InspectedService, type LiveCloud, serviceNameOf } from "../inspect/model";
import { describeManager, describeManagers, loadBalancerManagerOf } from "../inspect/model";
import { describeFacts } from "../inspect/facts";
import * as command from "../inspect/command";
import { inspectService } from "../inspect/read";
import { examine, judge, type Judgement } from "../explain/examine";

const SHOW_USAGE = `usage: ack-loadbalancer show [<namespace>/<name>] [options]

Shows a Service's load balancer with listeners, server groups and backends: their weights, those \
that the cluster asks for,
their share of new connections, and their health as the cloud sees it. \
Without a name: every Service of type LoadBalancer.

${command.INSPECTION_USAGE}
Exit code: 0 nothing broken was found, 1 something is broken, 2 cluster or cloud could not be checked, or the command \
line is invalid.
`;

export const runShow = (argv: readonly string[], output: Output): Promise<number> =>
    command.runInspection(SHOW_USAGE, argv, output, answer);

async function answer(options: command.InspectionOptions) {
    if (options.service !== undefined) return describeService(await command.inspectNamed(options));
    const reader = command.openReader(options);
    const services = (await reader.cluster.listServices()).filter(({ spec }) => spec?.type === "LoadBalancer");
    const judged = async (object: ServiceObject): Promise<JudgedRow> => {
        const { namespace = "default", name } = object.metadata;
        const row = serviceRowOf(object);
        if (loadBalancerManagerOf(object).kind === "other") return row;
        const live = await inspectService(reader, namespace, name);
        return live === undefined ? row : { ...row, ...judge(live, examine(live)) };
    };
    const rows: JudgedRow[] = [];
    for (let start = 0; start < services.length; start += AT_ONCE)
        rows.push(...(await Promise.all(services.slice(start, start + AT_ONCE).map(judged))));
    const found = rows.map(({ health }) => health);
    const gravest = (["broken", "unknown"] as const).find((health) => found.includes(health)) ?? "works";
    return { page: describeServices(rows), data: { services: rows }, code: command.EXIT_OF[gravest] };
}

/** Services that are inspected at the same time. */
const AT_ONCE = 8;

/** Returns the row of a Service in the table. The address type is absent under another controller. */
export function serviceRowOf(object: ServiceObject) {
    const { ports = [], externalTrafficPolicy = "Cluster" } = object.spec ?? {};
    return {
        service: serviceNameOf(object),
        managedBy: describeManagers(object),
        kind: chosenTypeOf(object).toUpperCase(),
        ...defined({ addressType: addressTypeOf(object) }),
        addresses: addressesOf(object),
        ports: ports.map(({ protocol = "TCP", port }) => `${protocol}:${port}`),
        policy: externalTrafficPolicy,
    };
}

/** Row with the judgement, which is absent for a Service of another controller. */
export type JudgedRow = ReturnType<typeof serviceRowOf> & Partial<Judgement>;

/** Formats the number of differences: `none`, `2`, or `?` if the cloud could not be read. */
const describeDrift = ({ health, drift }: JudgedRow): string =>
    health === undefined ? "-" : drift === undefined ? "?" : drift === 0 ? "none" : String(drift);

const HEALTH = { works: "works", broken: "BROKEN", unknown: "?" } as const;

/** Returns the table, sorted by namespace and name. */
export function describeServices(services: readonly JudgedRow[]): Page {
    const rows = services.toSorted((a, b) => byText(a.service, b.service));
    const numberOf = (is: (row: JudgedRow) => boolean): number => rows.filter(is).length;
    const broken = numberOf(({ health }) => health === "broken");
    const unknown = numberOf(({ health }) => health === "unknown");
    const unseen = unknown === 0 ? "" : `, ${unknown} could not be checked`;
    const pending = numberOf(({ addresses }) => addresses.length === 0);
    const title = "Services of type LoadBalancer";
    return {
        title,
        summary:
            `${count(rows.length, "Service")} of type LoadBalancer, ${pending} without an address, ` +
            `${broken} broken${unseen}`,
        sections: [
            {
                title: "Services",
                table: {
                    columns: ["service", "managed by", "kind", "type", "address", "ports", "policy", "health", "drift"],
                    rows: rows.map((row) => [
                        row.service,
                        row.managedBy,
                        row.addressType === undefined ? "-" : row.kind,
                        row.addressType ?? "-",
                        row.addresses.join(", ") || "pending",
                        row.ports.join(", "),
                        row.policy,
                        row.health === undefined ? "-" : HEALTH[row.health],
                        describeDrift(row),
                    ]),
                },
            },
            ...rows
                .filter(({ health }) => health === "broken" || health === "unknown")
                .map(({ service, summary = "" }) => ({ title: `Service ${service}`, lines: [summary] })),
        ],
    };
}

export function describeService(live: InspectedService): command.InspectionAnswer {
    const judgement = judge(live, examine(live));
    const { object, cloud, service } = live;
    // A user-managed load balancer stays anyway.
    const preserved = service?.settings.preserveLbOnDelete !== undefined && service.settings.id === undefined;
    const managers = managersOf(live);
    const row = serviceRowOf(object);
    const groups = backendsOfGroups(live);
    const others = userManaged(live);
    const ports = localNodePorts(object.spec?.ports ?? []);
    const address = row.addresses.join(", ") || "no address";
    const managing = { columns: ["object", "managed by"], rows: managers.map((one) => [one.object, one.managedBy]) };
    const bindings = (live.bindings ?? []).map(
        ({ name, synced, message }) => `${name}: ${synced ? "synced" : `not synced: ${message}`}`,
    );
    const sections = [
        ...section("Load balancer", [...balancerLines(cloud), ...(preserved ? [PRESERVED] : [])]),
        ...section("Node ports", ports.length === 0 ? [] : [...ports, `remedy: ${LOCAL_PORT_REMEDY}`]),
        ...groups.map((group) => groupSection(group, live)),
        ...(managers.length === 0 ? [] : [{ title: "Who manages what", table: managing }]),
        ...section("User-managed, or of other Services", others),
        ...section("Sync controller", bindings),
        describeFacts(live.seen),
    ];
    return {
        page: {
            title: `Service ${row.service}`,
            summary: `Service ${row.service}: ${address}, managed by ${row.managedBy}; ${judgement.summary}`,
            sections,
        },
        data: {
            service: row,
            health: judgement.health,
            drift: judgement.drift ?? null,
            cloud: cloud.kind === "found" ? { ...cloud.instance, health: cloud.health ?? null } : cloud,
            groups,
            userManaged: others,
            preserved,
            localNodePorts: ports,
            managers,
            bindings: live.bindings ?? null,
            facts: live.seen.shown,
        },
        code: command.EXIT_OF[judgement.health],
    };
}

const section = (title: string, lines: readonly string[]): Section[] => (lines.length === 0 ? [] : [{ title, lines }]);

function balancerLines(cloud: LiveCloud): string[] {
    if (cloud.kind === "missing") return [`none was found in the cloud (looked for ${cloud.lookedFor})`];
    if (cloud.kind === "failed") return [`the cloud could not be read: ${cloud.code} ${cloud.message}`.trimEnd()];
    const { instance } = cloud;
    const { id, name, address = "no address", addressType = "?", status = "?" } = instance;
    const facts = [address, addressType, status, instance.kind === "clb" ? instance.instanceChargeType : undefined];
    const ports = instance.listeners.map(listenerName);
    const unseen = "health is not known: slb:DescribeHealthStatus or nlb:GetListenerHealthStatus is not allowed";
    return [
        `${id}${name === undefined ? "" : ` (${name})`}: ${facts.filter((fact) => fact !== undefined).join(", ")}`,
        `listeners: ${ports.join(", ") || "none"}`,
        ...(cloud.health === undefined ? [unseen] : []),
    ];
}

const PRESERVED = "PreservedOnDelete: it stays when the Service is deleted (preserve-lb-on-delete)";

function groupSection({ key, id, name, backends }: GroupView, live: InspectedService): Section {
    const { cloud } = live;
    const nameOf = labelsOf(live);
    const health = cloud.kind === "found" ? (cloud.health ?? []) : [];
    return {
        title: `Server group ${key}: ${id} (${name})`,
        table: {
            columns: ["backend", "weight", "desired", "% of new connections", "health", "managed"],
            rows: backends.map(({ backend, observed, desired, own, other, draining, share = "-" }) => [
                nameOf(backend),
                observed === undefined ? "missing" : String(observed),
                desired === undefined ? "none" : `${desired}${draining ? " (draining)" : ""}`,
                String(share),
                [...new Set(health.filter((one) => one.backend === backend).map(({ state }) => state))].join(", ") ||
                    "?",
                own ? "yes" : other === undefined ? "no, user-managed" : `Service ${other}`,
            ]),
        },
    };
}

function userManaged(live: InspectedService): string[] {
    if (live.cloud.kind !== "found") return [];
    const mark = markOf(live);
    const others = live.cloud.instance.listeners.filter(({ description }) => !sameService(description, mark));
    const about = (description: string): string => (description === "" ? "" : ` (${description})`);
    return others.map(({ protocol, port, description }) => `listener ${protocol}:${port}${about(description)}`);
}

/** Returns the instance, its listeners and the server groups behind them, each with its manager. */
function managersOf(live: InspectedService): { readonly object: string; readonly managedBy: string }[] {
    const { object, cloud, service, bindings = [] } = live;
    if (cloud.kind !== "found") return [];
    const mark = markOf(live);
    const own = describeManager(loadBalancerManagerOf(object));
    const managerOfMark = (description: string): string => {
        if (sameService(description, mark)) return own;
        return isOwnershipKey(description) ? `another Service (${description})` : "user";
    };
    const { id, listeners, serverGroups } = cloud.instance;
    const serving = new Set(listeners.map(({ serverGroupId }) => serverGroupId));
    return [
        { object: `load balancer ${id}`, managedBy: service?.settings.id === undefined ? own : "user" },
        ...listeners.map(({ protocol, port, description }) => ({
            object: `listener ${protocol}:${port}`,
            managedBy: managerOfMark(description),
        })),
        ...serverGroups
            .filter((group) => serving.has(group.id))
            .flatMap((group) => {
                const managedBy = managerOfMark(group.name);
                const synced = managedBy === own && bindings.length > 0;
                return [
                    { object: `server group ${group.id}`, managedBy },
                    ...(synced ? [{ object: `members of ${group.id}`, managedBy: "sync controller" }] : []),
                ];
            }),
    ];
}
