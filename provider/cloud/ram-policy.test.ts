import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";

/** docs/ram-policy.md must allow what is called, and nothing that is not: its list would otherwise rot. */

/** Actions that the policy in a page allows. */
function allowedBy(page: string): string[] {
    const policy = JSON.parse(/```json\n([\s\S]*?)```/.exec(fs.readFileSync(page, "utf8"))?.[1] ?? "") as {
        Statement: { Action: string[] }[];
    };
    return policy.Statement.flatMap(({ Action }) => Action);
}

const allowed = allowedBy("docs/ram-policy.md");

/** Products whose calls need no permission: anyone may get the identity of a key. */
const OUTSIDE_THE_POLICY = new Set(["sts"]);

/** Pattern of the place of an action's name in the sources. */
const CALLS = String.raw`(?:call\(|(?:listBy\w+|readObject)\(\s*cloud,)\s*"\w+",\s*`;
const PLACE = String.raw`(?:${CALLS}|const action = |change\w*\(\s*cloud,\s*|await set\(\s*)`;

function sources(folder: string): string[] {
    return fs
        .readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
        .map((file) => path.join(folder, file));
}

/** Returns the product whose actions a file calls. Jobs are those of NLB. */
const productOf = (text: string): string | undefined =>
    /(?:call\(|(?:listBy\w+|readObject)\(\s*cloud,)\s*"(\w+)",/.exec(text)?.[1] ??
    (/\bchange\(\s*cloud,/.test(text) ? "nlb" : undefined);

/** Returns the actions that runs call, without those of commands. A template represents the four listener protocols. */
function called(): Set<string> {
    const found = new Set<string>();
    for (const file of sources("provider")) {
        const text = fs.readFileSync(file, "utf8");
        const product = productOf(text);
        if (product === undefined || OUTSIDE_THE_POLICY.has(product)) continue;
        // RAM calls the Certificate Management Service otherwise.
        const name = product === "cas" ? "yundun-cert" : product;
        for (const [, action = ""] of text.matchAll(new RegExp(String.raw`${PLACE}"(\w+)"`, "g")))
            found.add(`${name}:${action}`);
        for (const [, before = "", behind = ""] of text.matchAll(
            new RegExp(String.raw`${PLACE}\`(\w+)\$\{protocol\.toUpperCase\(\)\}(\w+)\``, "g"),
        )) {
            for (const protocol of ["TCP", "UDP", "HTTP", "HTTPS"]) found.add(`${name}:${before}${protocol}${behind}`);
        }
    }
    return found;
}

/** Actions that the recordings of the real plugin show for the resources that the components make. */
function recorded(): Set<string> {
    const found = new Set<string>();
    const visit = (value: unknown): void => {
        if (Array.isArray(value)) value.forEach(visit);
        else if (typeof value === "object" && value !== null) {
            const { product, action } = value as { product?: unknown; action?: unknown };
            if (typeof product === "string" && typeof action === "string")
                found.add(`${product.toLowerCase()}:${action}`);
            Object.values(value).forEach(visit);
        }
    };
    for (const type of [
        "slb.ApplicationLoadBalancer",
        "slb.Listener",
        "slb.ServerGroup",
        "slb.DomainExtension",
        "slb.Acl",
        "nlb.LoadBalancer",
        "nlb.Listener",
        "nlb.ServerGroup",
        "nlb.LoadbalancerCommonBandwidthPackageAttachment",
    ]) {
        const folder = path.join("testdata/alicloud-plugin", type);
        for (const file of fs.readdirSync(folder)) visit(JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")));
    }
    // Set-up of the recordings, not calls of these resources.
    for (const other of ["CreateMasterSlaveServerGroup", "UploadCACertificate", "UploadServerCertificate"])
        found.delete(`slb:${other}`);
    return found;
}

test("the policy allows every action that is called, names none twice, and allows nothing else", () => {
    const needed = new Set([...called(), ...recorded()]);
    expect(needed.size).toBeGreaterThan(40);
    expect([...allowed].sort()).toStrictEqual([...needed].sort());
});

test("the sync controller's policy is the part of a run's policy that concerns server groups", () => {
    const members =
        /ListServerGroups$|Server(?:s|Group(?:Servers|s?Attribute))$|BackendServers$|VServerGroupAttribute$|Job|NetworkInterfaces$|ServersAttribute$|FromServerGroup$|ToServerGroup$/;
    const sync = allowedBy("docs/sync.md");
    expect(sync.filter((action) => !allowed.includes(action))).toStrictEqual([]);
    expect(sync.filter((action) => !members.test(action) || /:(?:Create|Delete)/.test(action))).toStrictEqual([]);
});
