import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { reportOf, subject } from "../../../test/support/report";
import { escapeXml } from "../../command/page";
import { renderMermaid } from "./graph";
import { renderReport } from "./render";
import { drawSubject } from "./svg";

const UNPLACED = { position: null, subject: null, known: false } as const;

const many = reportOf(Array.from({ length: 500 }, (_, index) => subject(`service-${index}`, 20, "create")));

test("a page of 500 new Services with 20 backends each is smaller than 5 MB", () => {
    const page = renderReport(many, "html");
    expect(page.match(/<svg /g)?.length).toBe(500);
    expect(Buffer.byteLength(page)).toBeLessThan(5_000_000);
});

test("markdown fits into a comment on GitHub, and says how many Services it leaves out", () => {
    const text = renderReport(many, "markdown");
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text).toMatch(/Details of \d+ Services are left out/);
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
});

test("GitLab's comment holds more of it", () => {
    const text = renderReport(many, "markdown", 1_000_000);
    expect(text.length).toBeLessThanOrEqual(1_000_000);
    expect(text.match(/<details>/g)?.length).toBe(500);
});

test("markdown is never longer than its limit, and no detail is cut in two", () => {
    const report = reportOf(Array.from({ length: 12 }, (_, index) => subject(`service-${index}`, 5)));
    fc.assert(
        fc.property(fc.integer({ min: 100, max: 20_000 }), (characters) => {
            const text = renderReport(report, "markdown", characters);
            expect(text.length).toBeLessThanOrEqual(characters);
            expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
        }),
        { numRuns: 50 },
    );
});

test("what does not fit into a comment is counted: releases, Services and findings", () => {
    const subjects = Array.from({ length: 500 }, (_, index) => subject(`service-${index}`, 1));
    const cause = "it is deleted, and its load balancer with it";
    const losses = subjects.map((one, index) => ({
        subject: one.subject,
        address: `192.0.2.${index}`,
        cause,
        remedy: "keep the Service, or preserve its load balancer in an update before",
    }));
    const released = renderReport({ ...reportOf(subjects), losses }, "markdown");
    const shown = released.match(/Public address released/g)?.length ?? 0;
    expect(released).toContain(`> **Addresses released, not listed: ${500 - shown}**`);
    expect(released).toContain("*500 more Services are not listed here.*");
    expect(released).toMatch(/\n$/);

    const few = renderReport(reportOf(subjects.slice(0, 12)), "markdown", 400);
    expect(few).toContain("*12 more Services are not listed here.*");
    expect(few).not.toMatch(/^\| Service/m);

    const finding = { severity: "error", rule: "lifecycle-twice", remedy: null, source: null, ...UNPLACED } as const;
    const findings = Array.from({ length: 800 }, (_, index) => ({
        ...finding,
        message: `${index}: ${cause.repeat(2)}`,
    }));
    const found = renderReport({ ...reportOf(subjects.slice(0, 12)), findings }, "markdown");
    const listed = found.match(/lifecycle-twice/g)?.length ?? 0;
    expect(found).toContain(`*Findings left out: ${800 - listed}*`);
    expect(found).toMatch(/^\| Service shop\/service-11 \|/m);
    for (const text of [released, found]) expect(text.length).toBeLessThanOrEqual(65_536);
});

const HOSTILE = `<img src=x onerror=alert(1)> "quoted" \`code\` | @everyone ]( http://x & 'a'`;

test("names from the preview cannot become markup in any format", () => {
    const report = reportOf([{ ...subject("web", 2), subject: HOSTILE, userManaged: [HOSTILE] }]);
    for (const text of [renderReport(report, "html"), ...report.subjects.map(drawSubject)]) {
        expect(text).not.toMatch(/<img/);
        expect(text).toContain("&lt;img src=x");
    }
    const markdown = renderReport(report, "markdown");
    expect(markdown).not.toMatch(/<img|@everyone/);
    expect(renderMermaid(report.subjects)).not.toMatch(/<img|"quoted"/);
});

test.each([
    ["update", "server group tcp-80 (rsp-bp1ckxt5xg2nn): 3 of 3 backends change"],
    ["same", "server group tcp-80 (rsp-bp1ckxt5xg2nn): unchanged, 3 backends"],
    ["create", "server group tcp-80 (rsp-bp1ckxt5xg2nn): new, 3 backends"],
] as const)("a group whose backends %s is summed up so", (change, summary) => {
    // A Service without changes has no section of its own.
    const one = { ...subject("web", 3, change), verdict: "backends-only" as const };
    expect(renderReport(reportOf([one]), "html")).toContain(`<summary>${summary}</summary>`);
});

test("text in XML has no characters that XML does not have", () => {
    fc.assert(
        fc.property(fc.string({ unit: "binary" }), (text) => {
            expect(escapeXml(text)).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff<>"]/);
        }),
    );
});

test("the page needs no network and has a title, language, and names of pictures and columns", () => {
    const page = renderReport(reportOf([subject("web", 5)]), "html");
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(page).toMatch(/^<!doctype html><html lang="en">/);
    expect(page.match(/<h1>/g)?.length).toBe(1);
    expect(page).toMatch(/<svg [^>]*role="img" aria-label="Service shop\/web: backends only"/);
    expect(page.match(/<table>/g)?.length).toBe(page.match(/<thead>/g)?.length);
    expect(page).toMatch(/prefers-color-scheme:dark/);
    expect(page).toMatch(/@media print/);
});
