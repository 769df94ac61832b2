import { expect, test } from "@jest/globals";
import { external, keyOfSetting, readAnnotations } from ".";
import { keyOf, PREFIX } from "./keys";

const read = (annotations: Readonly<Record<string, unknown>>, type: "clb" | "nlb" = "clb") =>
    readAnnotations(annotations, () => undefined, type);

for (const row of external)
    test(`${row.suffix}: is none of the settings, and nothing is said of it here`, () => {
        expect(read({ [keyOf(row)]: "on" })).toMatchObject({ settings: {}, diagnostics: [] });
    });

for (const type of ["clb", "nlb"] as const)
    test(`${type}: an empty id never means that a load balancer is created`, () => {
        const { settings, paths, diagnostics } = read({ [keyOfSetting("id")]: "" }, type);
        expect([settings, paths.has("id")]).toStrictEqual([{}, true]);
        expect(diagnostics.map(({ code, severity, setting }) => [code, severity, setting])).toStrictEqual([
            ["annotation-value", "error", "id"],
        ]);
        expect(diagnostics[0]?.cause).toMatch(/the value is empty, as if a template had not been given the id/);
    });

test("an unknown key whose value is a load balancer type gets a hint to spec.loadBalancerClass", () => {
    const remedy = (value: string) =>
        read({ "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-instance-type": value }).diagnostics[0]?.remedy;
    expect(remedy("nlb")).toMatch(/spec\.loadBalancerClass .*"ack-loadbalancer\.io\/nlb" is for an NLB/);
    expect(remedy("slb.s1.small")).toBe(
        'remove it; what you want may be "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-spec" or ' +
            "spec.loadBalancerClass",
    );
});

test("the remedy for a value that is no string is accepted next", () => {
    const remedy = (field: Parameters<typeof keyOfSetting>[0], raw: unknown) =>
        read({ [keyOfSetting(field)]: raw }).diagnostics[0]?.remedy;
    expect(remedy("deleteProtection", true)).toBe('write "on", in quotes');
    expect(remedy("deleteProtection", false)).toBe('write "off", in quotes');
    expect(remedy("forceOverrideListeners", true)).toBe('quote it: "true"');
    expect(remedy("bandwidth", 5)).toBe('quote it: "5"');
    expect(remedy("bandwidth", 0)).toMatch(/^write a string: /);
    expect(remedy("addressType", true)).toMatch(/^write a string: "internet" or "intranet"/);
});

test("of many unknown annotations a hundred are shown, and the number of the others", () => {
    const many = Object.fromEntries(
        Array.from({ length: 250 }, (_, index) => [`${PREFIX}alibaba-cloud-loadbalancer-nothing-${index}`, "x"]),
    );
    const { diagnostics } = read(many);
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics[100]?.cause).toBe("150 more annotations are unknown and not shown");
});
