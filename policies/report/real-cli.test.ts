/**
 * Previews of the real Pulumi CLI as input. The corpus has documents that CLI 3.260 printed for another program (its texts are normalised);
 * the recorded previews of this package come from the lab, whose engine is held against that corpus.
 */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { buildReport } from "../../provider/report";
import { readDigest } from "../check/preview";
import { stepsOf } from "../check/steps";

const TESTDATA = path.join(__dirname, "../../testdata");

type Members = Readonly<Record<string, unknown>>;

interface Document extends Members {
    readonly steps: readonly (Members & { readonly oldState?: Members | null; readonly newState?: Members | null })[];
}

const readJson = (...parts: readonly string[]): unknown =>
    JSON.parse(fs.readFileSync(path.join(TESTDATA, ...parts), "utf8"));

/** What the real CLI printed, command by command. */
const REAL = (
    readJson("engine/cases/preview-json/case.json") as { steps: { n: number; expect: { json?: Document } }[] }
).steps.flatMap(({ n, expect: { json } }) => (json === undefined ? [] : [[n, json] as const]));

const LAB = fs
    .readdirSync(path.join(TESTDATA, "previews"))
    .map((name) => [name, readJson("previews", name) as Document] as const);

const reportOn = (document: Document) => buildReport({ steps: stepsOf(readDigest(JSON.stringify(document))) });

/** The members of a document, of its steps and of their states. */
function membersOf(documents: readonly Document[]): Record<"document" | "step" | "state", string[]> {
    const steps = documents.flatMap((document) => document.steps);
    const states = steps.flatMap(({ oldState, newState }) => [oldState ?? {}, newState ?? {}]);
    const namesOf = (all: readonly Members[]): string[] => [...new Set(all.flatMap((one) => Object.keys(one)))].sort();
    return { document: namesOf(documents), step: namesOf(steps), state: namesOf(states) };
}

test.each(REAL)(
    "what the real CLI printed is read (command %d), and has no Service of this package",
    (_n, document) => {
        const report = reportOn(document);
        expect(report.subjects).toStrictEqual([]);
        expect([report.project, report.stack]).toStrictEqual(["preview-json", "dev"]);
    },
);

test("recorded previews have no member that the real CLI's do not have", () => {
    const real = membersOf(REAL.map(([, document]) => document));
    const lab = membersOf(LAB.map(([, document]) => document));
    const unknown = (level: keyof typeof real): string[] => lab[level].filter((name) => !real[level].includes(name));
    // The corpus leaves out what differs from run to run.
    expect([unknown("document"), unknown("step")]).toStrictEqual([["duration"], []]);
    // Options that no resource of the corpus's program has; the description of the real CLI's state names them.
    const described = fs.readFileSync(path.join(TESTDATA, "engine/state.md"), "utf8");
    expect(unknown("state").filter((name) => !described.includes(name))).toStrictEqual([]);
});

/** The same preview as the real CLI writes it: members in the order of the alphabet, and those besides that the report does not read. */
function asRealCli({ duration: _, ...document }: Document): Document {
    const sorted = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(sorted);
        if (typeof value !== "object" || value === null) return value;
        return Object.fromEntries(
            Object.entries(value)
                .sort(([a], [b]) => (a < b ? -1 : 1))
                .map(([key, part]) => [key, sorted(part)]),
        );
    };
    const further = { sourcePosition: "project:///index.ts#1,1", stackTrace: [], dependencies: [] };
    const state = (one: Members | null | undefined): Members | null | undefined => one && { ...further, ...one };
    const steps = document.steps.map((step) => ({
        ...step,
        provider: "urn:pulumi:dev::p::pulumi:providers:x::default::1",
        ...("oldState" in step ? { oldState: state(step.oldState) } : {}),
        ...("newState" in step ? { newState: state(step.newState) } : {}),
    }));
    return sorted({ ...document, steps }) as Document;
}

test.each(LAB)("%s: the report is the same from the form of the real CLI", (_name, document) => {
    expect(reportOn(asRealCli(document))).toStrictEqual(reportOn(document));
});
