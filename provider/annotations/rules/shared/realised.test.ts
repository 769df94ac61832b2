import { expect, test } from "@jest/globals";
import { LOAD_BALANCER_TYPES, type LoadBalancerType } from "../../../schema/load-balancer-type";
import { rowsOf } from "../../catalogue";
import type { SettingName } from "../../../schema/settings";
import { applyRules } from "..";

const refused = (field: SettingName, type: LoadBalancerType): boolean =>
    applyRules({
        type,
        settings: {},
        attempted: new Set([field]),
        facts: { clusterId: "c" },
        ports: [],
        externalTrafficPolicy: "Cluster",
        protocols: [],
    }).some(
        ({ code, severity, setting, remedy }) =>
            code === "annotation-unsupported" && severity === "error" && setting === field && remedy !== "",
    );

for (const type of LOAD_BALANCER_TYPES) {
    for (const row of rowsOf(type)) {
        const name = type === "clb" ? row.suffix : `${type} ${row.suffix}`;
        test(`${name}: ${row.realised ? "is not refused as such" : "is refused by name, with a remedy"}`, () =>
            expect(refused(row.field, type)).toBe(!row.realised));
    }

    test(`everything that is understood is realised (${type})`, () => {
        expect(rowsOf(type).filter((row) => !row.realised)).toStrictEqual([]);
    });
}
