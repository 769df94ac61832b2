/**
 * Manifests of public reports: what is meant passes, with the advisories that it deserves.
 *
 * Requirements: X33, X34, X39, X40.
 */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import { runCheck } from "./main";

const FOLDER = "testdata/public";

const OPEN = "exposure-open";
const SOURCE = "backends-source-address";

/** Rules that report, by file. */
const REPORTED: Readonly<Record<string, readonly string[]>> = {
    "01-graceful-shutdown.yaml": [OPEN],
    "02-http-version.yaml": [OPEN, SOURCE],
    // Two documents.
    "06-vgroup-port-space.yaml": [OPEN, OPEN, SOURCE],
    // The vSwitch that is chosen, and the node port.
    "08-exported.yaml": ["annotations-effects", "annotations-effects", "annotations-legacy", SOURCE],
    // Three Services, each with a line that says who serves it.
    "09-other-controller.yaml": ["annotations-effects", "annotations-effects", "annotations-effects"],
    // The mode of kube-proxy is not known.
    "10-gardener-dualstack.yaml": ["annotations-effects", OPEN, SOURCE],
    "12-tags.yaml": [OPEN, SOURCE],
};

interface Violation {
    readonly rule: string;
    readonly level: string;
}

test("every manifest of a public report is judged", () => {
    const files = fs.readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));
    expect(files.sort()).toStrictEqual(Object.keys(REPORTED).sort());
});

for (const [name, rules] of Object.entries(REPORTED))
    test(`check ${name}`, async () => {
        let text = "";
        const code = await runCheck([`${FOLDER}/${name}`, "--format", "json"], {
            out: (part) => void (text += part),
            error: (part) => void (text += part),
        });
        const { violations } = JSON.parse(text) as { violations: Violation[] };
        expect(violations.map(({ level }) => level)).toStrictEqual(rules.map(() => "advisory"));
        expect(violations.map(({ rule }) => rule).sort()).toStrictEqual([...rules].sort());
        expect(code).toBe(0);
    });
