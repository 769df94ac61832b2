import { expect, test } from "@jest/globals";
import { refusal, scriptedCloud } from "../../../../test/support/cloud-client";
import { removeTwinAcls } from "./acl";

const NAME = "a5e4dbfc9c2ae4642b0335607860aef6";

/** Lists by id: their names, and how many entries they have. */
const LISTS: Readonly<Record<string, readonly [name: string, entries: number]>> = {
    "acl-own": [NAME, 2],
    "acl-twin": [NAME, 0],
    "acl-filled": [NAME, 1],
    "acl-used": [NAME, 0],
    "acl-other": [`${NAME}-2`, 0],
};

test("only empty, unused lists of the same name are deleted", async () => {
    const deleted: string[] = [];
    const { cloud, clock } = scriptedCloud(({ action, params }) => {
        const id = params["AclId"] ?? "";
        const [name, entries] = LISTS[id] ?? ["", 0];
        switch (action) {
            case "DescribeAccessControlLists":
                return {
                    body: {
                        TotalCount: 5,
                        Acls: { Acl: Object.entries(LISTS).map(([AclId, [AclName]]) => ({ AclId, AclName })) },
                    },
                };
            case "DescribeAccessControlListAttribute":
                return {
                    body: {
                        AclId: id,
                        AclName: name,
                        AclEntrys: { AclEntry: Array.from({ length: entries }, () => ({ AclEntryIP: "10.0.0.0/8" })) },
                    },
                };
            default:
                if (id === "acl-used") return refusal("AclInUsed", "The acl is used by a listener.");
                deleted.push(`${action} ${id}`);
                return { body: {} };
        }
    });
    await clock.run(removeTwinAcls(cloud, { id: "acl-own", name: NAME }));
    expect(deleted).toStrictEqual(["DeleteAccessControlList acl-twin"]);
});
