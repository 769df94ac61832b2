import { afterAll, afterEach, expect, test } from "@jest/globals";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { readAccess } from "./kubeconfig";

const folder = mkdtempSync(join(tmpdir(), "lab-kubeconfig-"));
afterAll(() => rmSync(folder, { recursive: true }));

const former = process.env["KUBECONFIG"];
afterEach(() => {
    if (former === undefined) delete process.env["KUBECONFIG"];
    else process.env["KUBECONFIG"] = former;
});

const NONE = { context: "", cluster: "" };

const config = (name: string, user: string): string => `current-context: ${name}
contexts: [{ name: ${name}, context: { cluster: ${name}, user: ${name}, namespace: shop } }]
clusters: [{ name: ${name}, cluster: { server: "https://${name}", certificate-authority-data: Y2E= } }]
users: [{ name: ${name}, user: ${user} }]
`;

function file(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
}

test("server, namespace and credentials come from the context, inline or as files", () => {
    file("key.pem", "key");
    const user = "{ client-certificate-data: Y2VydA==, client-key: key.pem }";
    const path = file("config", config("one", user));
    expect(readAccess(path, NONE)).toStrictEqual({
        server: "https://one",
        namespace: "shop",
        tls: { ca: Buffer.from("ca"), cert: Buffer.from("cert"), key: Buffer.from("key"), rejectUnauthorized: true },
        headers: {},
    });
    expect(readAccess(config("one", "{ token: t }"), NONE).headers).toEqual({ Authorization: "Bearer t" });
    expect(readAccess(config("one", "{ username: u, password: p }"), NONE).headers).toEqual({
        Authorization: "Basic dTpw",
    });
});

test("the files of KUBECONFIG are merged, and the first definition of a context is used", () => {
    const paths = ["one", "two"].map((name) => file(name, config(name, "{ token: t }")));
    process.env["KUBECONFIG"] = paths.join(delimiter);
    expect(readAccess("", NONE).server).toBe("https://one");
    expect(readAccess("", { context: "two", cluster: "" }).server).toBe("https://two");
    expect(readAccess("", { context: "", cluster: "two" }).server).toBe("https://two");
    expect(readAccess("", { context: "three", cluster: "" }).server).toBe("");
});

test("without a file the server is the real client's default", () => {
    process.env["KUBECONFIG"] = "/nonexistent";
    expect(readAccess("", NONE).server).toBe("http://localhost:8080");
});

test.each(["[", "text", "\n"])("%j is refused", (text) => {
    expect(() => readAccess(text, NONE)).toThrow();
});
