import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { runCompare } from "./main";

let folder: string;
beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "compare-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";
const ZONES = { [`${PREFIX}zone-maps`]: "cn-hangzhou-a:vsw-a,cn-hangzhou-b:vsw-b" };

function manifest(name: string, annotations: object, spec: object = {}): string {
    const file = path.join(folder, `${name}.json`);
    const ports = [{ name: "http", port: 80, targetPort: 8080 }];
    fs.writeFileSync(
        file,
        JSON.stringify({
            apiVersion: "v1",
            kind: "Service",
            metadata: { name, namespace: "shop", annotations },
            spec: { type: "LoadBalancer", selector: { app: name }, ports, ...spec },
        }),
    );
    return file;
}

function run(...argv: string[]) {
    let [out, error] = ["", ""];
    const code = runCompare(argv, { out: (text) => (out += text), error: (text) => (error += text) });
    return { code, out, error };
}

test("a CLB's Service: what has to be changed first, then what means something else", () => {
    const file = manifest("web", {
        [`${PREFIX}acl-id`]: "acl-1",
        [`${PREFIX}acl-status`]: "on",
        [`${PREFIX}acl-type`]: "white",
    });
    const { code, out } = run(file);
    expect(code).toBe(1);
    expect(out).toMatch(/^Service shop\/web: from CLB to NLB$/m);
    expect(out).toMatch(/^ +unsupported +acl-id +acl-1 +an NLB does not have it\n +remedy: .*security-group-ids/m);
    expect(out).toMatch(/^ +required +zone-maps /m);
    expect(out).toMatch(/^ +default +scheduler +rr +wrr$/m);
    expect(out).toMatch(/^ +meaning +address +one IP address +a DNS name/m);
    expect(out).toMatch(/^1 Services compared, 1 of them to be changed first$/m);
});

test("the Service of the other kind that stands beside it is compared the other way, or not at all", () => {
    const spec = { loadBalancerClass: "ack-loadbalancer.io/nlb" };
    const file = manifest("web-nlb", ZONES, spec);
    expect(run(file).out).toMatch(/from NLB to CLB/);
    expect(run(file, "--to", "nlb").out).toBe("0 Services compared, 0 of them to be changed first\n");
    expect(run("--to=clb", file, "--json").out).toMatch(/"version": 1/);
    expect(JSON.parse(run(file, "--json").out)).toMatchObject({
        services: [{ service: "shop/web-nlb", from: "nlb", to: "clb", differences: expect.any(Array) }],
    });
});

test.each([
    [["--to", "alb"], /"alb" is no kind of load balancer; write nlb or clb/],
    [["--to"], /"" is no kind/],
    [[], /name at least one file or folder/],
    [["--format", "sarif", "x.yaml"], /options of check/],
    [["nowhere.yaml"], /nowhere\.yaml/],
])("a command line or file that cannot be read ends with 2: %j", (argv, message) => {
    const { code, error } = run(...argv);
    expect(code).toBe(2);
    expect(error).toMatch(message);
});
