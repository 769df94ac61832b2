/**
 * All entries of an access control list, as one resource.
 *
 * The alicloud plugin has a resource per entry, without IPv6, or a deprecated list that is compared by index.
 */
import { type Cloud, ignoreCodes } from "../../../cloud";
import { type Acl, addAclEntries, deleteAcl, describeAcl, findAclsByName, removeAclEntries } from "../../../clb/acl";
import { managing, openPlace, type Place } from "../handler";

interface AclEntriesInputs extends Place {
    readonly aclId: string;
    /** Comment of each entry, by its address range. */
    readonly entries: Entries;
}

type Entries = Readonly<Record<string, string>>;

const { create, update, read, remove } = managing<AclEntriesInputs>({
    /** Fills the list. Reads it first: an interrupted run may have filled it already. */
    create: async (inputs) => {
        const cloud = openPlace(inputs);
        const acl = await describeAcl(cloud, inputs.aclId);
        await apply(cloud, inputs, entriesOf(acl));
        if (acl !== undefined) await removeTwinAcls(cloud, acl);
        return { id: inputs.aclId };
    },
    /** Adds and removes the difference to the last record, or after a failed update, to the list. */
    update: async (olds, news) => {
        const cloud = openPlace(news);
        await apply(cloud, news, olds.unsure ? entriesOf(await describeAcl(cloud, news.aclId)) : olds.entries);
    },
    /**
     * Reads the entries. Comments are taken from the record: the cloud changes a comment only by removing its range,
     * which locks clients out for a moment.
     */
    read: async (props) => {
        const acl = await describeAcl(openPlace(props), props.aclId);
        const comments = Object.entries(entriesOf(acl)).map(([entry, comment]) => [
            entry,
            props.entries[entry] ?? comment,
        ]);
        return acl && { entries: Object.fromEntries(comments) as Entries };
    },
    delete: async (props) => {
        const cloud = openPlace(props);
        const acl = await describeAcl(cloud, props.aclId);
        await apply(cloud, { ...props, entries: {} }, entriesOf(acl));
    },
});
export { create, update, read, remove as delete };

const entriesOf = (acl: Acl | undefined): Entries =>
    Object.fromEntries(acl?.entries.map(({ entry, comment }) => [entry, comment ?? ""]) ?? []);

/** Adds before it removes: an empty list accepts every client. */
async function apply(cloud: Cloud, { aclId, entries }: AclEntriesInputs, before: Entries): Promise<void> {
    const added = Object.entries(entries).filter(([entry]) => !(entry in before));
    const removed = Object.entries(before).filter(([entry]) => !(entry in entries));
    const written = ([entry, comment]: [string, string]) => ({ entry, comment });
    await addAclEntries(cloud, aclId, added.map(written));
    await removeAclEntries(cloud, aclId, removed.map(written));
}

/** Refusal to delete a list that a listener uses. */
const ACL_IN_USE = "AclInUsed";

/**
 * Removes empty lists that have the name of another list and that no listener uses.
 *
 * The plugin creates a second list if the answer to its first call is lost: the API has no idempotency token.
 */
export async function removeTwinAcls(cloud: Cloud, { id, name }: Pick<Acl, "id" | "name">): Promise<void> {
    const twins = (await findAclsByName(cloud, name)).filter((other) => other !== id);
    for (const twin of twins) {
        const found = await describeAcl(cloud, twin);
        if (found?.entries.length === 0) await ignoreCodes([ACL_IN_USE], deleteAcl(cloud, twin));
    }
}
