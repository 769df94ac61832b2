/** Access control lists of listeners. */
import { object, defaulted, fields, list, type Read, requiredText, text } from "../cloud/http/answer";
import type { Cloud } from "../cloud/http/cloud";
import { ignoreNotFound } from "../cloud/http/error";
import { batches, listByNumber, readObject } from "../cloud/http/page";

/** Entry of an access control list: an address range in CIDR form. */
const ENTRY = fields({ entry: ["AclEntryIP", requiredText], comment: ["AclEntryComment", text] });

type AclEntry = Read<typeof ENTRY>;

const ACL = fields({
    id: ["AclId", requiredText],
    name: ["AclName", defaulted(text, "")],
    addressIpVersion: ["AddressIPVersion", text],
    entries: ["AclEntrys", defaulted<readonly AclEntry[]>(list(ENTRY, "AclEntry"), [])],
});

/** Access control list with its entries. */
export type Acl = Read<typeof ACL>;

const LISTED = object({ AclId: requiredText, AclName: text });

/** Source: SLB API, AddAccessControlListEntry. */
const PER_CALL = 50;

/** Returns the list with this id, or undefined if there is none (DescribeAccessControlListAttribute). */
export function describeAcl(cloud: Cloud, id: string): Promise<Acl | undefined> {
    return readObject(cloud, "slb", "DescribeAccessControlListAttribute", { AclId: id }, ACL, "acl");
}

/** Adds entries, 50 a call, in order (AddAccessControlListEntry). */
export async function addAclEntries(cloud: Cloud, id: string, entries: readonly AclEntry[]): Promise<void> {
    for (const batch of batches(entries, PER_CALL))
        await cloud.call("slb", "AddAccessControlListEntry", { AclId: id, AclEntrys: JSON.stringify(batch) });
}

/** Removes entries, 50 a call, in order (RemoveAccessControlListEntry). */
export async function removeAclEntries(cloud: Cloud, id: string, entries: readonly AclEntry[]): Promise<void> {
    for (const batch of batches(entries, PER_CALL))
        await cloud.call("slb", "RemoveAccessControlListEntry", { AclId: id, AclEntrys: JSON.stringify(batch) });
}

/** Returns the ids of the region's lists with exactly this name (DescribeAccessControlLists, every page). */
export async function findAclsByName(cloud: Cloud, name: string): Promise<string[]> {
    const params = { AclName: name, PageSize: 50 };
    const found = await listByNumber(cloud, "slb", "DescribeAccessControlLists", params, ["Acls", LISTED, "Acl"]);
    return found.filter(({ AclName }) => AclName === name).map(({ AclId }) => AclId);
}

/** Deletes a list with its entries, if it exists (DeleteAccessControlList). Fails while a listener uses it. */
export async function deleteAcl(cloud: Cloud, id: string): Promise<void> {
    await ignoreNotFound("acl", cloud.call("slb", "DeleteAccessControlList", { AclId: id }));
}
