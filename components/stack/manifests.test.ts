import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { onTestFinished } from "../../test/support/finished";
import { serviceYaml } from "../../test/support/yaml";
import { readFolder } from "./manifests";

function folderOf(files: Readonly<Record<string, string>>): string {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-folder-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
    return folder;
}

const read = (folder: string) => readFolder(folder, { clusterId: "c1" }, folder);

const WEB = serviceYaml({ name: "web" });

test.each(["namespace: default", 'namespace: ""', "namespace:", "labels: {}"])(
    "a Service with %s is known by the namespace that Kubernetes puts it in",
    (line) => {
        const folder = folderOf({ "web.yaml": WEB.replace(/namespace: .*/, line) });
        const { services, diagnostics } = read(folder);
        expect(diagnostics).toStrictEqual([]);
        expect([...services.keys()]).toStrictEqual(["default/web"]);
    },
);

test("the same Service with and without its namespace stands there twice", () => {
    const folder = folderOf({ "a.yaml": WEB, "b.yaml": WEB.replace(/namespace: .*/, "namespace:") });
    expect(read(folder).diagnostics.map(({ cause }) => cause)).toStrictEqual(["Service default/web is defined twice"]);
});

test("a node port that two Services name is an error before the API server refuses the second", () => {
    const withNodePort = (name: string, port: number) =>
        serviceYaml({ name }).replace("port: 80\n", `port: 80\n      nodePort: ${port}\n`);
    const folder = folderOf({
        "web.yaml": withNodePort("web", 30995),
        "api.yaml": withNodePort("api", 30995),
        "other.yaml": withNodePort("other", 30996),
    });
    expect(read(folder).diagnostics.map(({ place, cause }) => [place.subject, cause])).toStrictEqual([
        ["Service default/web", "node port TCP:30995 is that of Service default/api as well"],
    ]);
});

test("a file that cannot be read is an error: its Services are not gone", () => {
    const folder = folderOf({ "web.yaml": WEB });
    fs.symlinkSync("../none.yaml", path.join(folder, "api.yaml"));
    const { diagnostics } = read(folder);
    expect(diagnostics.map(({ severity, place, cause }) => [severity, place.subject, cause])).toStrictEqual([
        ["error", "api.yaml", expect.stringMatching(/cannot be read: ENOENT/)],
    ]);
});
