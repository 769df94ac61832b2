/**
 * Commands in the documentation exist: commands and options of the package and of Pulumi, keys of the stack's
 * configuration.
 */
import { afterAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { commandsOf, type DocumentedCommand } from "./support/documented";
import { forgetProject, objectionTo } from "./support/objections";
import { REPOSITORY } from "./support/repository";

const read = (file: string): string => fs.readFileSync(path.join(REPOSITORY, file), "utf8");

const EXAMPLES = fs
    .readdirSync(path.join(REPOSITORY, "examples"))
    .map((name) => `examples/${name}/README.md`)
    .filter((page) => fs.existsSync(path.join(REPOSITORY, page)));

const PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    ...["docs", "docs/internal"].flatMap((folder) =>
        fs
            .readdirSync(path.join(REPOSITORY, folder))
            .filter((name) => name.endsWith(".md"))
            .map((name) => `${folder}/${name}`),
    ),
    ...EXAMPLES,
];

afterAll(forgetProject);

const COMMANDS = PAGES.flatMap((page) => commandsOf(page, read(page)));

test("every command of the pages is valid for its program", async () => {
    const objections: string[] = [];
    // Most commands are on several pages. Those of an example are of its own program.
    const judged = new Map<string, string | undefined>();
    for (const command of COMMANDS) {
        const { page, line, words } = command;
        const key = JSON.stringify([page.startsWith("examples/") ? page : "", ...words]);
        if (!judged.has(key)) judged.set(key, await objectionTo(command));
        const problem = judged.get(key);
        if (problem !== undefined) objections.push(`${page}:${line}: ${words.join(" ")}: ${problem}`);
    }
    expect(objections).toStrictEqual([]);
});

test("commands are found in blocks, after prompts and pipes, over several lines and in sentences", () => {
    const page = [
        "Run `pulumi config set sync true`, or look: " +
            "`kubectl get nodes | npx ack-loadbalancer explain -`. Not `pulumi`s own.",
        "```",
        "$ npx ack-loadbalancer check web.yaml \\",
        "    --config rules.json   # a comment | pulumi up",
        "pulumi config set --path 'adopt[\"default/web\"]' '{}' && pulumi up > log.txt",
        "  - run: kubectl apply -f <your file>",
        "ack-loadbalancer/dev: 1 of 1 Service: 1 listener changes in place, no connection breaks",
        "```",
    ].join("\n");
    expect(commandsOf("page.md", page).map(({ line, words }) => [line, ...words])).toStrictEqual([
        [1, "pulumi", "config", "set", "sync", "true"],
        [1, "kubectl", "get", "nodes"],
        [1, "ack-loadbalancer", "explain", "-"],
        [1, "pulumi"],
        [3, "ack-loadbalancer", "check", "web.yaml", "--config", "rules.json"],
        [5, "pulumi", "config", "set", "--path", 'adopt["default/web"]', "{}"],
        [5, "pulumi", "up"],
        [6, "kubectl", "apply", "-f", "placeholder"],
    ]);
    for (const [program, least] of [
        ["ack-loadbalancer", 20],
        ["pulumi", 40],
        ["kubectl", 5],
    ] as const) {
        expect(COMMANDS.filter(({ words }) => words[0] === program).length).toBeGreaterThan(least);
    }
});

const WRONG: readonly [line: string, problem: RegExp][] = [
    ["ack-loadbalancer explode", /no command explode/],
    ["ack-loadbalancer check a.yaml --formt json", /--formt/],
    ["ack-loadbalancer check a.yaml --network-plugin calico", /--network-plugin/],
    ["ack-loadbalancer report preview.json --fail-on fire", /--fail-on: unknown gate "fire"/],
    ["ack-loadbalancer sync --manifests", /--manifests needs --image/],
    ["ack-loadbalancer list --stack prod", /--stack: "prod" is no stack/],
    ["ack-loadbalancer doctor --colour", /no option --colour/],
    ["pulumi apply", /no command apply/],
    ["pulumi preview --policypack policies", /unknown flag: --policypack/],
    ["pulumi config set manifest web", /no key manifest/],
    ["pulumi config set adopt default/web", /adopt/],
    ["pulumi config set --path 'follow.web' true", /config follow must be a list/],
    ["pulumi config set --path 'adopt[\"default/web\"]' yes", /config adopt must be a map/],
    ["kubectl aply -f web.yaml", /no command aply/],
    ["kubectl get servergroupbinding", /no resource servergroupbinding/],
];

for (const [line, problem] of WRONG) {
    test(`an invalid command is found: ${line}`, async () => {
        const [command] = commandsOf("docs/page.md", `\`${line}\``);
        expect(await objectionTo(command as DocumentedCommand)).toMatch(problem);
    });
}
