import { reads, writes, type Action } from "../actions";
import { refusal, rule, type JsonObject, type ParamSpecs, type Params } from "../core";
import { isAddressOrCidr } from "../core/addresses";
import type { World } from "../world";
import { findAcl } from "./lookup";
import type { Acl } from "./state";
import { applyTags, tagView } from "./tags";

const NOT_USED = rule({
    id: "slb.acl.not-used",
    code: "AclInUsed",
    message: "The acl is used by a listener.",
    when: "an ACL is deleted while a listener whose access control is on refers to it",
    source: "testdata/alicloud-plugin (acl-in-use)",
    enforcement: "always",
});

const QUOTA = rule({
    id: "slb.acl.quota",
    code: "AclExceedLimit",
    message: "The maximum number of ACLs is exceeded.",
    when: "the account would have more ACLs than `quotas.acls`",
    source: "CLB quotas (slb_quota_acls_num; the code is this lab's)",
});

const ENTRY_QUOTA = rule({
    id: "slb.acl.entry-quota",
    code: "AclEntryExceedLimit",
    message: "The maximum number of ACL entries is exceeded.",
    when: "an ACL would have more entries than `quotas.entriesPerAcl`",
    source: "CLB quotas (slb_quota_acl_entries_num); CLB API, error codes",
});

const PER_CALL = rule({
    id: "slb.acl.entries-per-call",
    code: "AclEntryExceedLimit",
    message: "The number of entries in one request must not exceed %s.",
    when: "a call carries more entries than `quotas.aclEntriesPerCall`",
    source: "CLB API AddAccessControlListEntry, parameter AclEntrys",
});

const ENTRY_FORM = rule({
    id: "slb.acl.entry-form",
    code: "AclEntryIllegal",
    message: "The specified ACL entry is invalid.",
    when: "an entry is no address or block, or not of the ACL's IP version",
    source: "CLB API, error codes",
});

const ENTRY_NEW = rule({
    id: "slb.acl.entry-new",
    code: "Duplicated.AclEntry",
    message: "The entry %s already exists.",
    when: "an entry is added that the ACL has already",
    source:
        "CLB API CreateLoadBalancerTCPListener, error codes; " +
        "the same entry is added again without error in recordings, so off unless switched on",
    enforcement: "off",
});

const LIST_READABLE = rule({
    id: "slb.acl.list-readable",
    code: "AclEntryIllegal",
    message: "There is illegal entry format.",
    when: "AclEntrys is not a JSON list of objects with entry and comment",
    source: "CLB API, error codes",
    enforcement: "always",
});

const NOT_EMPTY = rule({
    id: "slb.acl.not-empty",
    code: "AclEntryEmpty",
    message: "Acl does not have any entry.",
    when: "entries are removed from an ACL that has none",
    source: "CLB API, error codes",
});

function readEntries(world: World, p: Params): { entry: string; comment: string }[] {
    let list: unknown;
    try {
        list = JSON.parse(p.text("AclEntrys") ?? "[]");
    } catch {
        throw refusal(LIST_READABLE);
    }
    if (!Array.isArray(list)) throw refusal(LIST_READABLE);
    const { aclEntriesPerCall } = world.config.quotas;
    world.rules.check(PER_CALL, list.length <= aclEntriesPerCall, aclEntriesPerCall);
    return list.map((item: { entry?: unknown; comment?: unknown } | null) => ({
        entry: String(item?.entry ?? ""),
        comment: String(item?.comment ?? ""),
    }));
}

function users(world: World, id: string): JsonObject[] {
    return [...world.slb.listeners.values()]
        .filter((l) => l.attributes.get("AclStatus") === "on" && l.aclIds.includes(id))
        .map((l) => ({
            LoadBalancerId: l.loadBalancerId,
            ListenerPort: l.port,
            Protocol: l.protocol,
            AclType: String(l.attributes.get("AclType") ?? ""),
        }));
}

function summary(acl: Acl): JsonObject {
    return {
        AclId: acl.id,
        AclName: acl.name,
        AddressIPVersion: acl.ipVersion,
        ResourceGroupId: acl.resourceGroupId,
        CreateTime: new Date(acl.createdAt).toISOString(),
        Tags: tagView(acl.tags),
    };
}

const ID: ParamSpecs = { AclId: { required: true } };

export const aclActions: readonly Action[] = [
    writes(
        "CreateAccessControlList",
        { AclName: { required: true, maxLength: 80 }, AddressIPVersion: { allowed: ["ipv4", "ipv6"] } },
        (p, world) => {
            world.rules.check(QUOTA, world.slb.acls.size < world.config.quotas.acls);
            const tags = new Map<string, string>();
            applyTags(world, tags, p.structs("Tag"));
            const id = world.ids.next("acl");
            const acl: Acl = {
                id,
                name: p.need("AclName"),
                ipVersion: p.text("AddressIPVersion") ?? "ipv4",
                resourceGroupId: p.text("ResourceGroupId") ?? "rg-default",
                entries: new Map(),
                tags,
                createdAt: world.now(),
            };
            world.slb.acls.set(id, acl);
            return { AclId: id };
        },
    ),
    writes("DeleteAccessControlList", ID, (p, world) => {
        const acl = findAcl(world, p.need("AclId"));
        world.rules.check(NOT_USED, users(world, acl.id).length === 0);
        world.slb.acls.delete(acl.id);
    }),
    writes("SetAccessControlListAttribute", { ...ID, AclName: { required: true, maxLength: 80 } }, (p, world) => {
        const acl = findAcl(world, p.need("AclId"));
        acl.name = p.need("AclName");
        return { AclId: acl.id, AclName: acl.name };
    }),
    writes("AddAccessControlListEntry", { ...ID, AclEntrys: { required: true } }, (p, world) => {
        const acl = findAcl(world, p.need("AclId"));
        const entries = readEntries(world, p);
        for (const { entry } of entries) {
            world.rules.check(ENTRY_FORM, isAddressOrCidr(entry) === acl.ipVersion);
            world.rules.check(ENTRY_NEW, !acl.entries.has(entry), entry);
        }
        world.rules.check(
            ENTRY_QUOTA,
            new Set([...acl.entries.keys(), ...entries.map((e) => e.entry)]).size <= world.config.quotas.entriesPerAcl,
        );
        for (const entry of entries) acl.entries.set(entry.entry, entry);
    }),
    writes("RemoveAccessControlListEntry", { ...ID, AclEntrys: { required: true } }, (p, world) => {
        const acl = findAcl(world, p.need("AclId"));
        world.rules.check(NOT_EMPTY, acl.entries.size > 0);
        for (const { entry } of readEntries(world, p)) acl.entries.delete(entry);
    }),
    reads("DescribeAccessControlListAttribute", ID, (p, world) => {
        const acl = findAcl(world, p.need("AclId"));
        const entries = [...acl.entries.values()].map((e) => ({ AclEntryIP: e.entry, AclEntryComment: e.comment }));
        return {
            ...summary(acl),
            AclEntrys: { AclEntry: entries },
            RelatedListeners: { RelatedListener: users(world, acl.id) },
        };
    }),
    reads("DescribeAccessControlLists", {}, (p, world) => {
        const filters = p.structs("Tag");
        const found = [...world.slb.acls.values()].filter(
            (acl) =>
                (p.text("AclName") ?? acl.name) === acl.name &&
                (p.text("AddressIPVersion") ?? acl.ipVersion) === acl.ipVersion &&
                (p.text("ResourceGroupId") ?? acl.resourceGroupId) === acl.resourceGroupId &&
                filters.every(
                    (f) => acl.tags.get(f.text("Key") ?? "") === (f.text("Value") ?? acl.tags.get(f.text("Key") ?? "")),
                ),
        );
        const number = p.int("PageNumber") ?? 1;
        const size = p.int("PageSize") ?? 50;
        const page = found.slice((number - 1) * size, number * size);
        return {
            TotalCount: found.length,
            PageNumber: number,
            PageSize: size,
            Count: page.length,
            Acls: { Acl: page.map(summary) },
        };
    }),
];
