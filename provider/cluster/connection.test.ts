import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { onTestFinished } from "../../test/support/finished";
import { REPOSITORY } from "../../test/support/repository";
import { connect } from "./connection";
import { ClusterError } from "./error";

const config = (server: string, user: string): string => `apiVersion: v1
kind: Config
current-context: one
clusters:
    - { name: c1, cluster: { server: "${server}" } }
    - { name: c2, cluster: { server: "https://two.example.com/" } }
users: [{ name: u, user: ${user} }]
contexts: [{ name: one, context: { cluster: c1, user: u } }, { name: two, context: { cluster: c2, user: u } }]
`;

function environment(change: Record<string, string | undefined>): void {
    const former = { ...process.env };
    onTestFinished(() => {
        process.env = former;
    });
    for (const [name, value] of Object.entries(change)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
}

function folder(): string {
    const made = fs.mkdtempSync(path.join(os.tmpdir(), "kubeconfig-"));
    onTestFinished(() => fs.rmSync(made, { recursive: true }));
    return made;
}

async function refusal(work: Promise<unknown>): Promise<ClusterError> {
    const error: unknown = await work.then(
        () => undefined,
        (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ClusterError);
    return error as ClusterError;
}

test("a kubeconfig is given as content, as a path, or by KUBECONFIG; a context can be chosen", async () => {
    const content = config("https://one.example.com", "{ token: t }");
    const file = path.join(folder(), "config");
    fs.writeFileSync(file, content);
    environment({ KUBECONFIG: file });
    for (const options of [{ kubeconfig: content }, { kubeconfig: file }, {}])
        expect((await connect(options)).server).toBe("https://one.example.com");
    expect((await connect({ kubeconfig: content, context: "two" })).server).toBe("https://two.example.com");
});

test("the files of KUBECONFIG are merged as by kubectl: the first to name something counts", async () => {
    const home = folder();
    const write = (name: string, content: string): string => {
        fs.writeFileSync(path.join(home, name), content);
        return path.join(home, name);
    };
    const [missing, absent] = [path.join(home, "missing"), path.join(home, "absent")];
    const none = write("none", "apiVersion: v1\nkind: Config\n");
    const first = write("first", config("https://one.example.com", "{ token: t }"));
    const same = write("same", config("https://other.example.com", "{ token: u }"));
    const other = write(
        "other",
        config("https://one.example.com", "{}").replace("current-context: one", "current-context: two"),
    );
    const serverOf = async (...files: string[]): Promise<string> => {
        environment({ KUBECONFIG: files.join(path.delimiter) });
        return (await connect({})).server;
    };
    expect(await serverOf(first, same)).toBe("https://one.example.com");
    expect(await serverOf(first, other)).toBe("https://one.example.com");
    expect(await serverOf(none, missing, first)).toBe("https://one.example.com");
    expect((await refusal(serverOf(missing, absent))).cause).toMatch(/ENOENT/);
});

test("~ is the home folder in a given path, and a plain name in KUBECONFIG, as for kubectl", () => {
    const home = folder();
    fs.writeFileSync(path.join(home, "config"), config("https://one.example.com", "{ token: t }"));
    const module = JSON.stringify(path.join(REPOSITORY, "dist/provider/cluster/connection"));
    const program = `const { connect } = require(${module});
        Promise.allSettled([connect({ kubeconfig: "~/config" }), connect({})]).then(([given, usual]) =>
            console.log(given.value?.server, usual.reason?.kind));`;
    const env = { ...process.env, HOME: home, KUBECONFIG: "~/config" };
    // The home folder is the process's own matter.
    expect(execFileSync(process.execPath, ["-e", program], { env, cwd: home, encoding: "utf8" })).toBe(
        "https://one.example.com invalid-kubeconfig\n",
    );
});

test("a context that does not exist names those that do", async () => {
    const error = await refusal(
        connect({ kubeconfig: config("https://one.example.com", "{ token: t }"), context: "three" }),
    );
    expect(error.kind).toBe("invalid-kubeconfig");
    expect(error.cause).toMatch(/"three"; there are: one, two/);
});

test("no kubeconfig at all is an error, not a guess at localhost", async () => {
    environment({ KUBECONFIG: undefined, HOME: folder() });
    const error = await refusal(connect({}));
    expect(error.kind).toBe("invalid-kubeconfig");
    expect(error.message).toMatch(/KUBECONFIG is not set[\s\S]*remedy: set KUBECONFIG/);
});

test("a kubeconfig that cannot be read is an error without its text", async () => {
    const broken = await refusal(
        connect({ kubeconfig: 'apiVersion: v1\nusers: [{ name: u, user: { token: "very-secret }\n' }),
    );
    expect(broken.kind).toBe("invalid-kubeconfig");
    expect(broken.message).not.toMatch(/very-secret/);
    expect((await refusal(connect({ kubeconfig: "/nonexistent/config" }))).cause).toMatch(/ENOENT/);
    expect((await refusal(connect({ kubeconfig: config("one two", "{ token: t }") }))).cause).toMatch(/not a URL/);
});

test("tokens, passwords and plugins authenticate; a failed plugin differs from a refusal", async () => {
    const header = async (user: string): Promise<string | undefined> =>
        (await (await connect({ kubeconfig: config("https://one.example.com", user) })).access()).headers[
            "Authorization"
        ];
    expect(await header("{ token: t }")).toBe("Bearer t");
    expect(await header("{ username: me, password: secret }")).toBe(
        `Basic ${Buffer.from("me:secret").toString("base64")}`,
    );
    const credential = JSON.stringify({
        apiVersion: "client.authentication.k8s.io/v1",
        kind: "ExecCredential",
        status: { token: "from-plugin" },
    });
    const plugin = (script: string): string =>
        JSON.stringify({
            exec: {
                apiVersion: "client.authentication.k8s.io/v1",
                command: process.execPath,
                args: ["-e", script],
                interactiveMode: "Never",
            },
        });
    expect(await header(plugin(`console.log(${JSON.stringify(credential)})`))).toBe("Bearer from-plugin");
    const failed = await refusal(header(plugin("console.error('login expired for Bearer abcdefgh'); process.exit(1)")));
    expect(failed.kind).toBe("unauthorized");
    expect(failed.cause).toMatch(/login expired/);
    expect(failed.message).not.toMatch(/abcdefgh/);
});

test("a token is read from its file for each request, beside the kubeconfig that names it", async () => {
    const place = folder();
    const file = path.join(place, "config");
    fs.writeFileSync(file, config("https://one.example.com", "{ tokenFile: token }"));
    fs.writeFileSync(path.join(place, "token"), "first\n");
    const absolute = config("https://one.example.com", JSON.stringify({ tokenFile: path.join(place, "token") }));
    environment({ KUBECONFIG: [file, path.join(place, "more")].join(path.delimiter) });
    fs.writeFileSync(path.join(place, "more"), "users: []");
    const opened = await Promise.all([{ kubeconfig: file }, { kubeconfig: absolute }, {}].map(connect));
    const headers = () =>
        Promise.all(opened.map(async ({ access }) => (await access()).headers["Authorization"] ?? "none"));
    expect(await headers()).toStrictEqual(["Bearer first", "Bearer first", "Bearer first"]);
    fs.writeFileSync(path.join(place, "token"), "second");
    expect(await headers()).toStrictEqual(["Bearer second", "Bearer second", "Bearer second"]);
    fs.rmSync(path.join(place, "token"));
    expect((await refusal(headers())).cause).toMatch(/ENOENT.*token/);
});

test("connections are pooled until the client certificate changes", async () => {
    const connection = await connect({ kubeconfig: config("https://one.example.com", "{ token: t }") });
    expect((await connection.access()).agent).toBe((await connection.access()).agent);
});

const encoded = (text: string): string => Buffer.from(text).toString("base64");

const BROKEN: readonly (readonly [string, string, RegExp])[] = [
    [
        "a client key that is none",
        `{ client-certificate-data: ${encoded("no certificate")}, client-key-data: ${encoded("no key")} }`,
        /^client certificate and key cannot be read: /,
    ],
    ["a token with a line break", '{ token: "abc\\ndef" }', /^the token holds a line break/],
    [
        "a token of a plugin's user with a line break",
        '{ username: "", token: "abc\\ndef" }',
        /^the token holds a line break/,
    ],
];
for (const [what, user, cause] of BROKEN) {
    test(`${what} is an error with a remedy, before anything is sent`, async () => {
        const opened = async () => (await connect({ kubeconfig: config("https://one.example.com", user) })).access();
        const error = await refusal(opened());
        expect(error.kind).toBe("invalid-kubeconfig");
        expect(error.cause).toMatch(cause);
        expect(error.message).not.toMatch(/abc|def/);
    });
}

test("a password in the server's address and what a credential plugin prints are not quoted", async () => {
    const address = await refusal(connect({ kubeconfig: config("https://admin:hunter2@one two", "{ token: t }") }));
    expect(address.cause).toMatch(/^the server "https:\/\/admin:\*\*\*@one two" is not a URL$/);
    const failed = new ClusterError({
        kind: "unreachable",
        action: "list",
        server: "https://admin:hunter2@one",
        detail: "token: abcdefgh",
    });
    expect(`${failed.message} ${failed.server}`).not.toMatch(/hunter2|abcdefgh/);
});
