/** Parts that tests of annotation values share. */
import { expect } from "@jest/globals";
import {
    keyOf,
    legacyKeyOf,
    readAnnotations,
    type ReadSettings,
    type Row,
    rowsOf,
    type SettingName,
} from "../../provider/service/annotations";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import { found } from "./found";

/** Valid texts of an annotation with their values, and invalid texts. */
export interface Cases<Value> {
    readonly good: readonly (readonly [text: string, value: Value])[];
    /** Texts that mean a value whose own text is another. */
    readonly lenient?: readonly (readonly [text: string, value: Value])[];
    readonly bad: readonly string[];
}

export const itself = <Word extends string>(...words: readonly Word[]): (readonly [Word, Word])[] =>
    words.map((word) => [word, word] as const);
export const onOff: Cases<"on" | "off"> = {
    good: itself("on", "off"),
    bad: ["On", "ON", "true", "false", " on", "on ", "1"],
};

export function range(from: number, to: number): Cases<number> {
    return {
        good: [
            [String(from), from],
            [String(to), to],
            [String(from + 1), from + 1],
        ],
        bad: [
            String(from - 1),
            String(to + 1),
            `+${to}`,
            `0${to}`,
            `${to}.0`,
            "1e1",
            "one",
            " 5",
            "99999999999999999999",
        ],
    };
}

export function id(prefix: string): Cases<string> {
    return {
        good: itself(`${prefix}bp1abc123def456`, `${prefix}2ze-x_9`),
        bad: [
            `${prefix}bp1****`,
            "<your-id>",
            "${YOUR_ID}",
            `${prefix}a,${prefix}b`,
            `${prefix}a b`,
            ...(prefix === "" ? ["-a"] : [prefix, "bp1abc", prefix.toUpperCase() + "x"]),
        ],
    };
}

type Reader = (key: string, value: unknown) => ReadSettings;

/** Returns a function that reads an annotation as a Service with this kind of load balancer does. */
export function reader(type: LoadBalancerType): Reader {
    return (key, value) => readAnnotations({ [key]: value }, () => undefined, type);
}

export interface ValueChecks {
    readonly field: SettingName;
    readonly takesGood: () => void;
    readonly refusesBad: () => void;
    readonly refusesOtherTypes: () => void;
    readonly countsEmptyAsAbsent: () => void;
    readonly knowsLegacyKey: () => void;
}

/** The tests of each annotation of a kind of load balancer. */
export function valueChecks(type: LoadBalancerType, cases: Readonly<Record<string, Cases<unknown>>>): ValueChecks[] {
    return rowsOf(type).map((row) => checksOf(row, found(cases[row.field], `cases for ${row.field}`), type));
}

function checksOf(row: Row, { good, bad, lenient = [] }: Cases<unknown>, type: LoadBalancerType): ValueChecks {
    const read = reader(type);
    const key = keyOf(row);
    return {
        field: row.field,
        takesGood() {
            for (const [text, value] of good) {
                const { settings, diagnostics } = read(key, text);
                expect([text, diagnostics]).toStrictEqual([text, []]);
                expect([text, settings[row.field]]).toStrictEqual([text, value]);
                expect(row.type.print(value)).toBe(text.replaceAll(", ", ","));
            }
            for (const [text, value] of lenient) {
                const { settings, diagnostics } = read(key, text);
                expect([text, diagnostics, settings[row.field]]).toStrictEqual([text, [], value]);
            }
        },
        refusesBad() {
            for (const text of bad) {
                const { settings, diagnostics, paths } = read(key, text);
                expect([
                    text,
                    diagnostics.map((diagnostic) => [diagnostic.severity, diagnostic.setting]),
                ]).toStrictEqual([text, [["error", row.field]]]);
                expect(diagnostics[0]?.code ?? "").toMatch(/^annotation-(value|placeholder)$/);
                expect(diagnostics[0]?.remedy ?? "").not.toBe("");
                expect(settings[row.field]).toBe(undefined);
                expect(paths.has(row.field)).toBe(true);
            }
        },
        refusesOtherTypes() {
            for (const value of [true, false, 1, 0, null, ["on"], { a: "b" }]) {
                const { settings, diagnostics } = read(key, value);
                expect(diagnostics.map((diagnostic) => diagnostic.code)).toStrictEqual(["annotation-type"]);
                expect(settings[row.field]).toBe(undefined);
            }
        },
        countsEmptyAsAbsent() {
            const { settings, diagnostics, paths } = read(key, "");
            // An empty id never means that a load balancer is created.
            const refused = row.field === "id";
            expect(diagnostics.map((diagnostic) => [diagnostic.code, diagnostic.severity])).toStrictEqual([
                refused ? ["annotation-value", "error"] : ["annotation-empty", "warning"],
            ]);
            expect([settings, paths.size]).toStrictEqual([{}, refused ? 1 : 0]);
            expect(read("example.com/other", "on").diagnostics).toStrictEqual([]);
        },
        knowsLegacyKey() {
            const legacy = legacyKeyOf(row);
            expect(legacy === undefined).toBe(["backendType", "type"].includes(row.field));
            if (legacy === undefined) return;
            const [text, value] = found(good[0], "a good value");
            const alone = read(legacy, text);
            expect(alone.settings[row.field]).toStrictEqual(value);
            expect(alone.diagnostics.map((diagnostic) => [diagnostic.code, diagnostic.severity])).toStrictEqual([
                ["annotation-legacy", "warning"],
            ]);
            const both = readAnnotations({ [legacy]: "\u0000nonsense", [key]: text }, () => undefined, type);
            expect(both.settings[row.field]).toStrictEqual(value);
            expect(both.diagnostics.map((diagnostic) => diagnostic.code)).toStrictEqual(["annotation-legacy"]);
            const hidden = readAnnotations({ [legacy]: text, [key]: "" }, () => undefined, type);
            expect(hidden.settings).toStrictEqual({});
        },
    };
}
