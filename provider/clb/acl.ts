/** Access control lists of listeners. */
import { object, defaulted, fields, list, type Read, readAnswer, requiredText, text } from "../cloud/http/answer";
import type { Cloud } from "../cloud/http/cloud";
import { ignoreNotFound } from "../cloud/http/error";
import { batches, numberedItems } from "../cloud/http/page";

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

const ACLS = object({ Acls: list(object({ AclId: requiredText, AclName: text }), "Acl") });

/** Source: SLB API, AddAccessControlListEntry. */
const PER_CALL = 50;

/** Returns the list with this id; undefined if there is none (DescribeAccessControlListAttribute). */
export async function describeAcl(cloud: Cloud, id: string): Promise<Acl | undefined> {
    const action = "DescribeAccessControlListAttribute";
    const answer = await ignoreNotFound("acl", cloud.call("slb", action, { AclId: id }));
    return answer && readAnswer(action, ACL, answer);
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
    const action = "DescribeAccessControlLists";
    const found = await numberedItems(
        action,
        (PageNumber) => cloud.call("slb", action, { AclName: name, PageNumber, PageSize: 50 }),
        (page) => readAnswer(action, ACLS, page).Acls ?? [],
    );
    return found.filter(({ AclName }) => AclName === name).map(({ AclId }) => AclId);
}

/** Deletes a list with its entries, if it exists (DeleteAccessControlList). Fails while a listener uses it. */
export async function deleteAcl(cloud: Cloud, id: string): Promise<void> {
    await ignoreNotFound("acl", cloud.call("slb", "DeleteAccessControlList", { AclId: id }));
}
