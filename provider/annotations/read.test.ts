import { expect, test } from "@jest/globals";
import { external, readAnnotations } from ".";
import { keyOf } from "./keys";

for (const row of external)
    for (const type of row.types)
        test(`${type} ${row.suffix}: is refused by name, with a remedy`, () => {
            const key = keyOf(row);
            const { settings, diagnostics } = readAnnotations(
                { [key]: "on" },
                () => undefined,
                { allowMasked: false },
                type,
            );
            expect(settings).toStrictEqual({});
            expect(
                diagnostics.map(({ code, severity, place, remedy, source }) => [code, severity, place, remedy, source]),
            ).toStrictEqual([
                [
                    "annotation-unsupported",
                    "error",
                    { path: ["metadata", "annotations", key], part: "key" },
                    "remove the annotation",
                    row.source,
                ],
            ]);
        });
