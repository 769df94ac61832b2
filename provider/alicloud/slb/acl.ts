import { batches } from "../http/batch";
import { list, object, readAnswer, requiredText, text } from "../http/answer";
import type { Cloud } from "../http/client";
import type { Json } from "../http/json";
import { isNotFound } from "../http/error";
import { numberedItems } from "../http/page";
import { defined } from "../../schema/defined";

/** One line of an access control list. */
export interface AclEntry {
    /** An address range in CIDR form. */
    readonly entry: string;
    readonly comment?: string;
}

/** An access control list with its entries. */
export interface Acl {
    readonly id: string;
    readonly name: string;
    readonly addressIpVersion?: string;
    readonly entries: readonly AclEntry[];
}

/** Most entries in one call (API reference of AddAccessControlListEntry). */
const PER_CALL = 50;

const ACL = object({
    AclId: requiredText,
    AclName: text,
    AddressIPVersion: text,
    AclEntrys: list(object({ AclEntryIP: requiredText, AclEntryComment: text }), "AclEntry"),
});

const ACLS = object({ Acls: list(object({ AclId: requiredText, AclName: text }), "Acl") });

/** The list with this id, or undefined if there is none (DescribeAccessControlListAttribute). */
export async function describeAcl(cloud: Cloud, id: string): Promise<Acl | undefined> {
    const action = "DescribeAccessControlListAttribute";
    let answer: Json;
    try {
        answer = await cloud.call("slb", action, { AclId: id });
    } catch (error) {
        if (isNotFound(error, "acl")) return undefined;
        throw error;
    }
    const { AclId, AclName = "", AddressIPVersion, AclEntrys = [] } = readAnswer(action, ACL, answer);
    return {
        id: AclId,
        name: AclName,
        ...defined({ addressIpVersion: AddressIPVersion }),
        entries: AclEntrys.map(({ AclEntryIP, AclEntryComment: comment }) => ({
            entry: AclEntryIP,
            ...defined({ comment }),
        })),
    };
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

/** Ids of the lists of the region with exactly this name; names are not unique (DescribeAccessControlLists, every page). */
export async function findAclsByName(cloud: Cloud, name: string): Promise<string[]> {
    const action = "DescribeAccessControlLists";
    const found = await numberedItems(
        action,
        (PageNumber) => cloud.call("slb", action, { AclName: name, PageNumber, PageSize: 50 }),
        (page) => readAnswer(action, ACLS, page).Acls ?? [],
    );
    return found.filter(({ AclName }) => AclName === name).map(({ AclId }) => AclId);
}

/** Deletes a list with its entries; one that is gone already is fine (DeleteAccessControlList). Fails while a listener uses it. */
export async function deleteAcl(cloud: Cloud, id: string): Promise<void> {
    try {
        await cloud.call("slb", "DeleteAccessControlList", { AclId: id });
    } catch (error) {
        if (!isNotFound(error, "acl")) throw error;
    }
}
