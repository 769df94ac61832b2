/** Output of `explain`, `show` and `doctor` in a terminal. `UPDATE_GOLDEN=1` writes the golden files again. */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { liveService, OBJECT, SERVER_GROUP } from "../../test/support/inspect";
import { terminalOf } from "../command/output";
import { type Page, renderPage } from "../command/page";
import { pageOf } from "../doctor/main";
import { describeExplanations } from "../explain/main";
import { describeService, describeServices, serviceRowOf } from "../show/main";

const GOLDEN = "testdata/golden/pages";

/** A Service without a backend, whose instance lost its protections and forwards to no healthy backend. */
const BROKEN = liveService({
    slices: [{ metadata: { name: "web-1" }, addressType: "IPv4", endpoints: [], ports: [] }],
    desired: [
        {
            model: SERVER_GROUP,
            backends: {},
            draining: new Set(),
            notes: ["server group tcp-80 has no backend: the Service's selector finds no ready pod"],
        },
    ],
});

const PAGES: Readonly<Record<string, Page>> = {
    explain: describeExplanations(BROKEN).page,
    show: describeService(liveService()).page,
    overview: describeServices([serviceRowOf(OBJECT)]),
    doctor: pageOf([
        { area: "tools", what: "node", found: "v24.1.0", state: "ok" },
        {
            area: "tools",
            what: "plugin kubernetes",
            found: "4.34.2 is not there: the first run fetches it",
            state: "warning",
            remedy: "pulumi plugin install resource kubernetes v4.34.2",
        },
        {
            area: "cluster",
            what: "Cloud Controller Manager",
            found: "not in the cluster; ACK managed clusters run it outside",
            state: "skipped",
            remedy: "read its version on the console's Add-ons page, and set compatibility in the stack's configuration",
        },
    ]),
};

for (const [name, page] of Object.entries(PAGES))
    for (const columns of [80, 120])
        test(`${name} in a terminal of ${columns} columns is as recorded`, () => {
            const text = renderPage(page, "text", terminalOf({ columns, hasColors: () => false }));
            const file = path.join(GOLDEN, `${name}-${columns}.txt`);
            if (process.env["UPDATE_GOLDEN"] === "1") fs.writeFileSync(file, text);
            expect(text).toBe(fs.readFileSync(file, "utf8"));
        });

test("no noun is counted in the wrong number", () => {
    for (const page of Object.values(PAGES)) expect(renderPage(page, "text")).not.toMatch(/\b1 [A-Z]?[a-z]+s\b/);
});
