/**
 * The report's page in a real Chromium: layout, keyboard, contrast, paper, network, size.
 * Only a run shows what a browser draws.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "puppeteer-core";
import { renderReport } from "../../cli/report/formats/render";
import type { Report } from "../../cli/report/model";
import { reportOf, subject } from "../support/report";
import { launchBrowser } from "../../tools/browser/launch";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-lb-page-"));
const CHECKS = fs.readFileSync(path.join(__dirname, "../support/page-checks.js"), "utf8");
let browser: Browser;

beforeAll(async () => {
    browser = await launchBrowser();
});

afterAll(async () => {
    await browser.close();
    fs.rmSync(folder, { recursive: true });
});

/** A page that shows a report, and every address that it asked for. */
async function open(report: Report): Promise<{ page: Page; asked: string[] }> {
    const file = path.join(folder, "report.html");
    fs.writeFileSync(file, renderReport(report, "html"));
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(request.url()));
    await page.setViewport({ width: 1280, height: 800 });
    await page.goto(pathToFileURL(file).href, { waitUntil: "load" });
    await page.addScriptTag({ content: CHECKS });
    return { page, asked };
}

/** Everything that a page can have: each verdict and sign, a loss, findings, billing, folded groups. */
function full(backends: number): Report {
    const kinds = [
        ["create", "creates"],
        ["update", "in-place"],
        ["replace", "replaces-address"],
        ["delete", "deletes"],
        ["import", "interrupts"],
        ["keep", "replaces-listener"],
        ["same", "nothing"],
    ] as const;
    const subjects = kinds.map(([change, verdict], index) => ({
        ...subject(`${change}-${"x".repeat(index * 8)}`, backends, change, 1 + (index % 3)),
        verdict,
        userManaged: ["listener tcp:9000 (made in the console)"],
        findings: (["error", "warning", "info"] as const).map((severity) => ({
            severity,
            rule: "address-released",
            message: "the public address is released",
            remedy: "keep the name",
            source: null,
            position: "manifests/web.yaml:3:1",
            subject: null,
            known: false,
        })),
        billing: [{ what: "a CLB", change: "starts" as const }],
    }));
    return {
        ...reportOf(subjects),
        losses: [{ subject: "Service shop/web", address: "203.0.113.11", cause: "it is deleted", remedy: "keep it" }],
        findings: subjects[0]?.findings ?? [],
    };
}

/** Asks `test/support/page-checks.js`, which runs in the page. */
const ask = <T>(page: Page, check: string): Promise<T> => page.evaluate(`checks.${check}`) as Promise<T>;

/** Contrast of a text or a line with what is behind it, and the least that it must have. */
interface Contrast {
    readonly what: string;
    readonly ratio: number;
    readonly least: number;
}

test.each([5, 200])(
    "nothing overlaps and nothing is cut off with %d backends, on wide and narrow screens",
    async (backends) => {
        const { page } = await open(full(backends));
        for (const width of [1280, 360]) {
            await page.setViewport({ width, height: 800 });
            for (const opened of [false, true]) {
                await ask(page, `setDetails(${opened})`);
                expect(await ask(page, "overlaps()")).toStrictEqual([]);
                expect(await ask(page, "cutOff()")).toStrictEqual([]);
            }
        }
        await page.close();
    },
);

test("the checks find overlaps, cut-off text and low contrast", async () => {
    const { page } = await open(full(5));
    await ask(page, "spoil()");
    expect((await ask<string[]>(page, "overlaps()")).length).toBeGreaterThan(0);
    expect((await ask<string[]>(page, "cutOff()")).length).toBeGreaterThan(0);
    const pale = (await ask<Contrast[]>(page, "contrasts()")).filter(({ ratio, least }) => ratio < least);
    expect(pale.length).toBeGreaterThan(0);
    await page.close();
});

test.each([
    ["light", "rgb(255, 255, 255)"],
    ["dark", "rgb(13, 17, 23)"],
])("text and lines have the contrast of WCAG AA: %s", async (scheme, background) => {
    const { page } = await open(full(5));
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await ask(page, "setDetails(true)");
    const found = await ask<Contrast[]>(page, "contrasts()");
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter(({ ratio, least }) => ratio < least)).toStrictEqual([]);
    expect(await ask(page, "background()")).toBe(background);
    await page.close();
});

interface Focus {
    readonly tag: string;
    readonly outline: string;
    readonly shown: boolean;
    readonly open?: boolean;
}

test("everything can be reached and opened by keyboard with a visible focus", async () => {
    const { page } = await open(full(5));
    const seen: Focus[] = [];
    const all = await ask<number>(page, "controls()");
    for (let index = 0; index < all; index++) {
        await page.keyboard.press("Tab");
        const focus = await ask<Focus>(page, "focused()");
        seen.push(focus);
        if (focus.tag !== "summary") continue;
        for (const [key, opened] of [
            ["Enter", true],
            ["Space", false],
        ] as const) {
            await page.keyboard.press(key);
            expect((await ask<Focus>(page, "focused()")).open).toBe(opened);
        }
    }
    expect(seen[0]?.tag).toBe("a");
    expect(seen.filter(({ tag }) => tag === "summary").length).toBeGreaterThan(5);
    expect(seen.filter(({ outline, shown }) => outline !== "solid 3px" || !shown)).toStrictEqual([]);
    await page.close();
});

test("in print folded parts are open, also without scripts, and nothing is cut off", async () => {
    const { page } = await open(full(200));
    await page.setViewport({ width: 718, height: 1000 });
    await page.emulateMediaType("print");
    expect(await ask(page, "folded()")).toStrictEqual([]);
    expect(await ask(page, "cutOff()")).toStrictEqual([]);
    expect(await ask(page, "wide()")).toStrictEqual([]);
    await page.emulateMediaType();
    expect((await ask<string[]>(page, "folded()")).length).toBeGreaterThan(5);
    await page.close();
});

test("the page loads nothing else", async () => {
    const { page, asked } = await open(full(5));
    await ask(page, "setDetails(true)");
    expect(asked).toStrictEqual([page.url()]);
    await page.close();
});

test("a page with 500 Services opens at once and has less than 5 MB", async () => {
    const many = Array.from({ length: 500 }, (_, index) => subject(`service-${index}`, 20, "create"));
    const { page } = await open(reportOf(many));
    expect(fs.statSync(path.join(folder, "report.html")).size).toBeLessThan(5_000_000);
    // It takes two seconds on an idle machine, and up to ten times that on a busy machine.
    expect(await ask<number>(page, "took()")).toBeLessThan(20_000);
    expect(await ask(page, "pictures()")).toBe(500);
    await page.close();
});
