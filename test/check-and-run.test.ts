/**
 * `check` refuses the manifests that a run refuses, for the same mistakes.
 *
 * Requirements: H16, J45.
 */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { readInputs } from "../cli/check/inputs";
import { checkInputs } from "../cli/report/rules";
import { readFolder } from "../components/stack/manifests";
import { RULES } from "../policies/rules";
import { configureRules } from "../policies/rule/config";
import { isError } from "../provider/diagnostics";
import { onTestFinished } from "./support/finished";
import { REPOSITORY } from "./support/repository";
import { OF_A_RUN } from "./support/rules-of-a-run";

const FACTS = { clusterId: "c1", vswitches: ["vsw-1"] };

/** The causes for which a run and `check` refuse a folder. */
function judge(folder: string) {
    const run = readFolder(folder, FACTS, folder).diagnostics.filter(isError);
    const inputs = readInputs({ manifests: [folder], facts: FACTS });
    const violations = checkInputs(inputs, configureRules(RULES, {})).filter(({ level }) => level === "mandatory");
    const check = violations.filter(({ rule }) => OF_A_RUN.test(rule.name));
    const causes = (found: readonly { readonly cause: string }[]) => found.map(({ cause }) => cause).sort();
    return { run: causes(run), check: causes([...inputs.unreadable, ...check]) };
}

/** Makes a folder with one manifest. */
function folderOf(name: string, text: string): string {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "check-and-run-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    fs.writeFileSync(path.join(folder, name), text);
    return folder;
}

const MANIFESTS = ["testdata", "examples"].flatMap((root) =>
    fs
        .readdirSync(path.join(REPOSITORY, root), { recursive: true, encoding: "utf8" })
        .filter((file) => /\.ya?ml$/.test(file) && !/Pulumi\.|node_modules/.test(file))
        .map((file) => path.join(root, file)),
);

for (const file of MANIFESTS)
    test(`${file}: check and run agree`, () => {
        const { run, check } = judge(
            folderOf(path.basename(file), fs.readFileSync(path.join(REPOSITORY, file), "utf8")),
        );
        expect(check).toStrictEqual(run);
    });

test("the fragment of the documents, which has no ports, is refused by both", () => {
    const file = "45-nginx-ingress-eni-passthrough-fragment.yaml";
    const text = fs.readFileSync(path.join(REPOSITORY, "testdata/manifests", file), "utf8");
    const { run, check } = judge(folderOf(file, text));
    expect(run).toStrictEqual([expect.stringMatching(/the Service has no ports/)]);
    expect(check).toStrictEqual(run);
});

const service = (more: string, name = "web"): string =>
    `apiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\nspec: { selector: { app: web }, ${more} }\n`;

for (const [what, text] of Object.entries({
    "a Service inside the cluster without ports": service("type: ClusterIP"),
    "a Service inside the cluster with a field that Kubernetes does not have": service(
        "type: ClusterIP, prots: [], ports: [{ port: 80 }]",
    ),
    "a NodePort Service with a port out of range": service("type: NodePort, ports: [{ port: 80, nodePort: 99999 }]"),
    "a Service of no type": service("type: LoadBalance, ports: [{ port: 80 }]"),
    "a load balancer without ports": service("type: LoadBalancer"),
}))
    test(`${what} is refused by both`, () => {
        const { run, check } = judge(folderOf("web.yaml", text));
        expect(run).not.toStrictEqual([]);
        expect(check).toStrictEqual(run);
    });
