import { type Acl, type Cloud, CloudError, deleteAcl, describeAcl, findAclsByName } from "../../alicloud";

/** The cloud's refusal to delete a list that guards a listener. */
const IN_USE = "AclInUsed";

/**
 * Removes the empty lists that have the name of another one, which only one Service has: the plugin makes a second list where the answer to its first call is lost. One
 * that guards a listener stays.
 */
export async function removeTwinAcls(cloud: Cloud, { id, name }: Pick<Acl, "id" | "name">): Promise<void> {
    const twins = (await findAclsByName(cloud, name)).filter((other) => other !== id);
    for (const twin of twins) {
        const found = await describeAcl(cloud, twin);
        if (found === undefined || found.entries.length > 0) continue;
        await deleteAcl(cloud, twin).catch((error: unknown) => {
            if (!(error instanceof CloudError && error.code === IN_USE)) throw error;
        });
    }
}
