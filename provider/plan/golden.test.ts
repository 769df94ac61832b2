/**
 * Examples of the documents as golden files: the content of each, its diagnostics, and its desired load balancer.
 * `UPDATE_GOLDEN=1 jest provider/plan/golden.test.ts` writes testdata/golden/manifests.json, clb.json and nlb.json.
 * Read the difference before you commit it.
 *
 * Requirements: I38, I39, I57, J01, J02, J03, J04, J05, J06, J07, J08, J09, J10, J11, J12, J13, J14, J15, J16, J17,
 * J18, J19, J20, J21, J22, J23, J24, J25, J26, J27, J28, J29, J30, J31, J32, J33, J34, J35, J36, J37, J38, J39, J40,
 * J41, J42, J43, J44, J45, J46, J47.
 */

import { expect, test } from "@jest/globals";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type Diagnostic, formatPath, formatPosition, isError } from "../diagnostics";
import { readManifests } from "../service/manifests";
import { parseService, type Service } from "../service/service";
import { buildClb, buildNlb } from "./desired";
import { found } from "../../test/support/found";

const MANIFESTS = "testdata/manifests";
const GOLDEN = "testdata/golden/manifests.json";
const files = readdirSync(MANIFESTS).sort();

const oneLine = ({ place, severity, code, cause, remedy }: Diagnostic): string =>
    `${place.position === undefined ? "" : formatPosition(place.position)} ${severity}[${code}] ` +
    `${formatPath(place.path ?? [])}: ${cause} (remedy: ${remedy})`;

function readAll(): unknown {
    return Object.fromEntries(
        files.map((file) => {
            const { services, diagnostics } = readManifests(readFileSync(`${MANIFESTS}/${file}`, "utf8"));
            const parsed = services.map((document) => parseService(document, { clusterId: "c1" }));
            return [
                file,
                {
                    services: parsed.flatMap(({ service }) =>
                        service === undefined ? [] : [{ ...service, object: undefined }],
                    ),
                    issues: [...diagnostics, ...parsed.flatMap((one) => one.diagnostics)].map(oneLine),
                },
            ];
        }),
    );
}

test("all 47 examples are there", () => expect(files).toHaveLength(47));

test("the examples are read as they always were", () => {
    const actual = JSON.parse(JSON.stringify(readAll())) as unknown;
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(GOLDEN, `${JSON.stringify(actual, null, 2)}\n`);
    expect(actual).toStrictEqual(JSON.parse(readFileSync(GOLDEN, "utf8")));
});

/** Values that a reader of the documents gives for their placeholders. */
const FILLED_IN: Readonly<Record<string, string>> = {
    "${YOUR_VSWITCH_ID}": "vsw-bp1s5fnvk4gn2tws0abcd",
    "<your-vswitch-id>": "vsw-bp1s5fnvk4gn2tws0abcd",
    "<your-clb-instance-id>": "lb-bp1ids9hmq5924m6abcde",
    "<your-acl-id>": "acl-bp1l0kk4gxce43kzkabcd",
    "<your-cert-id>": "1234567890_abc_1_2",
    "<your-service-hostname>": "www.example.com",
    "<domain-1>:<cert-id-1>": "example.com:cert-id-1",
    "<domain-2>:<cert-id-2>": "api.example.com:cert-id-2",
    "rg-xxxx": "rg-acfmxazb4ph6aiy",
    "192.168.x.x": "192.168.0.10",
};

/** Examples that are whole Services, with their placeholders filled in. The other example is of a patch. */
const whole = files.filter((file) => !file.startsWith("45-"));

function fillIn(file: string): string {
    const text = readFileSync(`${MANIFESTS}/${file}`, "utf8");
    return Object.entries(FILLED_IN).reduce((filled, [name, value]) => filled.replaceAll(name, value), text);
}

const ZONES =
    "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-zone-maps: " + '"cn-hangzhou-a:vsw-a,cn-hangzhou-b:vsw-b"';

/** The same Services as those of an NLB: with its class, and with zones. */
const ofNlb = (text: string): string =>
    text
        .replace(
            /^metadata:\n(?: {2}annotations:\n)?/m,
            (head) => `${head.includes("annotations") ? head : `${head}  annotations:\n`}    ${ZONES}\n`,
        )
        .replace(/^spec:\n/m, "spec:\n  loadBalancerClass: alibabacloud.com/nlb\n");

/** Returns the model of a Service, or the reason why it is refused. */
function modelOf(file: string, text: string, build: (service: Service) => unknown): unknown {
    const { services, diagnostics } = readManifests(text, file);
    const document = found(services[0], file);
    expect([file, [services.length, diagnostics]]).toStrictEqual([file, [1, []]]);
    const parsed = parseService(document, { clusterId: "c1" });
    const errors = parsed.diagnostics.filter(isError);
    return errors.length > 0 || parsed.service === undefined
        ? errors.map(({ code, cause }) => `${code}: ${cause}`)
        : build(parsed.service);
}

type AsType = readonly [type: string, as: (text: string) => string, build: (service: Service) => unknown];

const TYPES: readonly AsType[] = [
    ["clb", (text) => text, (service) => buildClb(service, { clusterId: "c1" })],
    ["nlb", ofNlb, (service) => buildNlb(service, { clusterId: "c1" })],
];

for (const [type, as, build] of TYPES)
    test(`with their placeholders filled in, the examples ask for the ${type} that they always did`, () => {
        const golden = `testdata/golden/${type}.json`;
        const models = Object.fromEntries(whole.map((file) => [file, modelOf(file, as(fillIn(file)), build)]));
        const actual = JSON.parse(JSON.stringify(models)) as Record<string, unknown>;
        if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(golden, `${JSON.stringify(actual, null, 2)}\n`);
        expect(actual).toStrictEqual(JSON.parse(readFileSync(golden, "utf8")));
        // As a CLB nothing is wrong with any of them.
        const refused = Object.keys(actual).filter((file) => Array.isArray(actual[file]));
        expect([Object.keys(actual).length, type === "clb" ? refused : []]).toStrictEqual([46, []]);
    });
