import { expect, test } from "@jest/globals";
import { CLUSTER_ID, LIMIT_CASES, type LimitCase } from "../../test/support/limits";
import { serviceYaml } from "../../test/support/yaml";
import { isError } from "../diagnostics";
import { LIMITS } from "../quotas/limits";
import { readManifests } from "./manifests";
import { parseService } from "./service";

/** Returns the refusals of a Service with so many. */
function refusals(of: LimitCase, some: number) {
    const [document] = readManifests(serviceYaml({ name: "web", ...of.with(some) })).services;
    if (document === undefined) throw new Error("the manifest has no document");
    const { diagnostics } = parseService(document, { clusterId: CLUSTER_ID, kubernetesVersion: "v1.34.1" });
    return diagnostics.filter(isError);
}

for (const one of LIMIT_CASES)
    test(`${one.limit}: ${one.accepted} of ${one.field} are accepted, one more is refused`, () => {
        expect(refusals(one, one.accepted)).toStrictEqual([]);
        const [refusal, ...others] = refusals(one, one.accepted + 1);
        expect(others).toStrictEqual([]);
        expect(refusal?.place.position?.line).toBeGreaterThan(0);
        expect((refusal?.place.path ?? []).join(".")).toContain(one.field);
        expect(refusal?.cause).toMatch(one.cause);
        expect(refusal?.remedy).toMatch(one.remedy);
    });

test("every limit has a case, and a source", () => {
    expect(new Set(LIMIT_CASES.map(({ limit }) => limit))).toStrictEqual(new Set(Object.keys(LIMITS)));
    for (const { source } of Object.values(LIMITS)) expect(source).toMatch(/^[A-Z]{3}.{10,}/);
});
