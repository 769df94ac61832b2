import {
    ACL_ENTRY_TYPE,
    ACL_TYPE,
    ATTACHMENT_TYPE,
    BACKEND_SERVER_TYPE,
    BACKENDS_TYPE,
    GROUP_SERVER_TYPE,
    GROUP_TYPE,
    INSTANCE_TYPE,
    LISTENER_TYPE,
    OLD_INSTANCE_TYPE,
} from "../types";
import type { ShownResource } from "../subjects";
import { type Case, component, inside, plain, resource, UNKNOWN } from "./case";

const OTHER = resource("a:b:C", {});
const PROTECTED = { deleteProtection: "on", modificationProtectionStatus: "ConsoleProtection" };
const list = (entryLists: unknown = []) => resource(ACL_TYPE, { id: "acl-1", entryLists }, { name: "office" });
const guarded = (more: object = {}, origins: ShownResource["origins"] = {}) =>
    resource(
        LISTENER_TYPE,
        { loadBalancerId: "lb-1", aclStatus: "on", aclType: "white", aclIds: ["acl-1"], ...more },
        { name: "http", origins },
    );

/** An instance with a group, as a program writes them: the group knows its instance by reference. */
const INSTANCE = resource(INSTANCE_TYPE, { id: "lb-1" }, { name: "edge" });
const GROUP = resource(
    GROUP_TYPE,
    { loadBalancerId: UNKNOWN },
    { name: "group", origins: { loadBalancerId: [INSTANCE.urn] } },
);
const map = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`i-${index}`, { weight: 100 }]));
const backends = (of: unknown, name = "shop/web/tcp-80") =>
    resource(
        BACKENDS_TYPE,
        { serverGroupId: UNKNOWN, backends: of },
        { name, origins: { serverGroupId: [GROUP.urn] } },
    );
const attached = (instances: number) =>
    Array.from({ length: instances }, (_, index) =>
        resource(
            ATTACHMENT_TYPE,
            { loadBalancerId: `lb-${index}`, instanceIds: ["i-1"] },
            { name: `attachment-${index}` },
        ),
    );

export const RESOURCES: readonly Case[] = [
    {
        rule: "exposure-empty-list",
        what: "without entries",
        given: [guarded(), list()],
        expect: [/^listener http: the listener uses the list office \(white\), which has no entries/],
    },
    {
        rule: "exposure-empty-list",
        what: "by reference, before the list has an id",
        given: [guarded({ aclIds: [UNKNOWN] }, { aclIds: [list().urn] }), list()],
        expect: [/no entries/],
    },
    {
        rule: "exposure-empty-list",
        what: "with entries",
        given: [guarded(), list([{ entry: "10.0.0.0/8" }])],
        expect: [],
    },
    {
        rule: "exposure-empty-list",
        what: "with an entry of its own resource",
        given: [guarded(), list(), resource(ACL_ENTRY_TYPE, { aclId: "acl-1", entry: "10.0.0.0/8" })],
        expect: [],
    },
    {
        rule: "exposure-empty-list",
        what: "a list of somebody else's",
        given: [guarded({ aclIds: ["acl-9"] }), list()],
        expect: [],
    },
    { rule: "exposure-empty-list", what: "switched off", given: [guarded({ aclStatus: "off" }), list()], expect: [] },
    {
        rule: "exposure-empty-list",
        what: "entries that are not known yet do not hide others",
        given: [guarded(), list(UNKNOWN)],
        expect: "not known",
    },

    {
        rule: "protection-switched-off",
        what: "a Service",
        given: component({ annotations: { "delete-protection": "off", "modification-protection": "NonProtection" } }),
        expect: [/deletion protection/, /lost at the next run/],
    },
    { rule: "protection-switched-off", what: "a Service that says nothing", given: plain(), expect: [] },
    {
        rule: "protection-switched-off",
        what: "somebody's instance",
        given: resource(INSTANCE_TYPE, { deleteProtection: "off" }),
        expect: [/^ApplicationLoadBalancer one: deletion protection of the instance is not switched on/, /console/],
    },
    {
        rule: "protection-switched-off",
        what: "somebody's protected instance",
        given: resource(OLD_INSTANCE_TYPE, PROTECTED),
        expect: [],
    },
    {
        rule: "protection-switched-off",
        what: "a component's instance",
        given: inside(resource(INSTANCE_TYPE, {})),
        expect: "not applicable",
    },
    { rule: "protection-switched-off", what: "another resource", given: OTHER, expect: "not applicable" },
    {
        rule: "protection-switched-off",
        what: "not known",
        given: resource(INSTANCE_TYPE, { ...PROTECTED, deleteProtection: UNKNOWN }),
        expect: "not known",
    },

    {
        rule: "naming-owner-tags",
        what: "a cluster's tag",
        given: resource(INSTANCE_TYPE, { tags: { "kubernetes.do.not.delete": "x", team: "a" } }),
        expect: [/the tag "kubernetes\.do\.not\.delete" says that a cluster owns the instance/],
    },
    {
        rule: "naming-owner-tags",
        what: "the user's tags",
        given: resource(INSTANCE_TYPE, { tags: { team: "a" } }),
        expect: [],
    },
    {
        rule: "naming-owner-tags",
        what: "a component's instance",
        given: inside(resource(INSTANCE_TYPE, { tags: { "kubernetes.do.not.delete": "x" } })),
        expect: "not applicable",
    },
    { rule: "naming-owner-tags", what: "another resource", given: OTHER, expect: "not applicable" },
    {
        rule: "naming-owner-tags",
        what: "not known",
        given: resource(OLD_INSTANCE_TYPE, { tags: UNKNOWN }),
        expect: "not known",
    },

    {
        rule: "naming-owner-marks",
        what: "a Service's listener",
        given: resource(LISTENER_TYPE, { description: "k8s/80/web/shop/c1" }),
        expect: [/the description "k8s\/80\/web\/shop\/c1" says/],
    },
    {
        rule: "naming-owner-marks",
        what: "a Service's group",
        given: resource(GROUP_TYPE, { name: "k8s/30080/web/shop/c1" }),
        expect: [/the name/],
    },
    {
        rule: "naming-owner-marks",
        what: "the user's listener",
        given: resource(LISTENER_TYPE, { description: "front door" }),
        expect: [],
    },
    {
        rule: "naming-owner-marks",
        what: "a component's listener",
        given: inside(resource(LISTENER_TYPE, { description: "k8s/80/web/shop/c1" })),
        expect: "not applicable",
    },
    { rule: "naming-owner-marks", what: "another resource", given: OTHER, expect: "not applicable" },
    {
        rule: "naming-owner-marks",
        what: "not known",
        given: resource(GROUP_TYPE, { name: UNKNOWN }),
        expect: "not known",
    },

    {
        rule: "quota-backends",
        what: "more than the quota, over all Services",
        given: [INSTANCE, GROUP, backends(map(150)), backends(map(60), "shop/api/tcp-81")],
        expect: [/^instance edge: 210 backends are more than the 200/],
    },
    { rule: "quota-backends", what: "as many as the quota", given: [INSTANCE, GROUP, backends(map(200))], expect: [] },
    {
        rule: "quota-backends",
        what: "a raised quota",
        given: [INSTANCE, GROUP, backends(map(210))],
        config: { limit: 300 },
        expect: [],
    },
    {
        rule: "quota-backends",
        what: "every way to attach a server counts",
        given: [
            INSTANCE,
            resource(
                GROUP_TYPE,
                { loadBalancerId: "lb-1", servers: [{ serverIds: ["i-1", "i-2"], port: 80 }] },
                { name: "other" },
            ),
            GROUP,
            resource(
                GROUP_SERVER_TYPE,
                { serverGroupId: UNKNOWN, serverId: "i-3" },
                { name: "server", origins: { serverGroupId: [GROUP.urn] } },
            ),
            resource(
                BACKEND_SERVER_TYPE,
                { loadBalancerId: "lb-1", backendServers: [{ serverId: "i-4" }] },
                { name: "default" },
            ),
            resource(ATTACHMENT_TYPE, { loadBalancerId: "lb-1", instanceIds: ["i-5"] }, { name: "attachment" }),
        ],
        config: { limit: 4 },
        expect: [/5 backends are more than the 4/],
    },
    {
        rule: "quota-backends",
        what: "backends that are not known yet",
        given: [INSTANCE, GROUP, backends(UNKNOWN)],
        expect: "not known",
    },

    {
        rule: "quota-listeners",
        what: "more than the quota",
        given: [
            resource(LISTENER_TYPE, { loadBalancerId: "lb-1" }, { name: "a" }),
            resource(LISTENER_TYPE, { loadBalancerId: "lb-1" }, { name: "b" }),
        ],
        config: { limit: 1 },
        expect: [/^instance lb-1: 2 listeners are more than the 1/],
    },
    { rule: "quota-listeners", what: "few", given: [resource(LISTENER_TYPE, { loadBalancerId: "lb-1" })], expect: [] },
    {
        rule: "quota-listeners",
        what: "a listener counts before its instance has an id",
        given: [
            INSTANCE,
            resource(LISTENER_TYPE, { loadBalancerId: UNKNOWN }, { origins: { loadBalancerId: [INSTANCE.urn] } }),
        ],
        config: { limit: 0 },
        expect: [/instance edge: 1 listeners/],
    },

    {
        rule: "quota-attachments",
        what: "a machine behind too many",
        given: attached(51),
        expect: [/^servers: 1 of them stand behind more than the 50 instances that a machine may: i-1 behind 51\.$/],
    },
    { rule: "quota-attachments", what: "as many as allowed", given: attached(50), expect: [] },
    {
        rule: "quota-attachments",
        what: "pods are no machines",
        given: [INSTANCE, GROUP, backends({ "10.0.0.1:80": { weight: 100 } })],
        config: { limit: 0 },
        expect: [],
    },
    {
        rule: "quota-attachments",
        what: "machines that are not known yet",
        given: [resource(ATTACHMENT_TYPE, { loadBalancerId: "lb-1", instanceIds: UNKNOWN })],
        expect: "not known",
    },
];
