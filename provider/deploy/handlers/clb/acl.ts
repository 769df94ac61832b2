/**
 * All entries of one access control list, as one resource.
 *
 * The alicloud plugin has one resource for each entry, which cannot hold IPv6 ranges, or a deprecated list that is compared by index.
 */
import { type Acl, addAclEntries, describeAcl, removeAclEntries } from "../../../alicloud";
import { removeTwinAcls } from "../../clb/twin-acls";
import { plain } from "../values";
import { type AccountReference, openPlace } from "../place";

/** Inputs of a list's entries. */
export interface AclEntriesInputs {
    readonly aclId: string;
    /** Comment of each entry, by its address range. A map: a change is one line of the preview. */
    readonly entries: Readonly<Record<string, string>>;
    readonly region?: string;
    readonly account?: AccountReference;
}

/**
 * Fills the list. Reads it first: an interrupted run may have filled it already.
 *
 * The plugin makes another list where the answer to its call is lost, since the API knows no idempotency token. Empty lists of the same name are such ones, and go.
 */
export async function create(inputs: AclEntriesInputs): Promise<{ id: string; outs: AclEntriesInputs }> {
    const acl = await describeAcl(connect(inputs), inputs.aclId);
    await apply(inputs, acl === undefined ? {} : entriesOf(acl));
    if (acl !== undefined) await removeTwinAcls(connect(inputs), acl);
    return { id: inputs.aclId, outs: plain(inputs) };
}

/** Adds and removes what differs from the last record. */
export async function update(
    _id: string,
    olds: AclEntriesInputs,
    news: AclEntriesInputs,
): Promise<{ outs: AclEntriesInputs }> {
    await apply(news, olds.entries);
    return { outs: plain(news) };
}

/** The entries as they are; gone with their list. Comments are not compared: the cloud changes one only by removing its range, which locks clients out for a moment. */
export async function read(
    id: string,
    props: AclEntriesInputs,
): Promise<{ id?: string; props?: AclEntriesInputs; inputs?: AclEntriesInputs }> {
    const actualEntries = await actual(props);
    if (actualEntries === undefined) {
        return {};
    }
    const entries = Object.fromEntries(
        Object.entries(actualEntries).map(([entry, comment]) => [entry, props.entries[entry] ?? comment]),
    );
    const found = plain({ ...props, entries });
    return { id, props: found, inputs: found };
}

/** Empties the list, if it is still there. */
async function remove(_id: string, props: AclEntriesInputs): Promise<void> {
    const entries = await actual(props);
    if (entries !== undefined) {
        await apply({ ...props, entries: {} }, entries);
    }
}
export { remove as delete };

async function actual(inputs: AclEntriesInputs): Promise<Record<string, string> | undefined> {
    const acl = await describeAcl(connect(inputs), inputs.aclId);
    return acl && entriesOf(acl);
}

const entriesOf = ({ entries }: Acl): Record<string, string> =>
    Object.fromEntries(entries.map(({ entry, comment }) => [entry, comment ?? ""]));

/** Adds before it removes: a list that is empty for a moment lets everyone in. */
async function apply(desired: AclEntriesInputs, before: Readonly<Record<string, string>>): Promise<void> {
    const cloud = connect(desired);
    const added = Object.entries(desired.entries).filter(([entry]) => !(entry in before));
    const removed = Object.keys(before).filter((entry) => !(entry in desired.entries));
    await addAclEntries(
        cloud,
        desired.aclId,
        added.map(([entry, comment]) => ({ entry, comment })),
    );
    await removeAclEntries(
        cloud,
        desired.aclId,
        removed.map((entry) => ({ entry, comment: before[entry] ?? "" })),
    );
}

function connect(inputs: AclEntriesInputs) {
    return openPlace(inputs);
}
