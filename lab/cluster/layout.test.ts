import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { clusterFlags, GO_PACKAGES, readVersions, toolCache, toolsFolder, versions } from "./layout";
import { cacheRoot, contentKey, goIsEnough } from "../build/build";
import { sameMinor } from "./sources";

const goMod = readFileSync(join(toolsFolder(), "go.mod"), "utf8");

test("the pinned versions are read from go.mod, in both forms of a require line", () => {
    const text =
        "module x\n\ngo 1.26.0\n\nrequire k8s.io/kubernetes v1.36.3\n\nrequire (\n" +
        "\tgo.etcd.io/etcd/server/v3 v3.6.8 // indirect\n\tsigs.k8s.io/kwok v0.8.0\n)\n";
    expect(readVersions(text)).toStrictEqual({ kubernetes: "v1.36.3", etcd: "v3.6.8", kwok: "v0.8.0", go: "1.26" });
    expect(() => readVersions(text.replace("sigs.k8s.io/kwok", "example.org/kwok"))).toThrow(
        /does not require sigs.k8s.io\/kwok/,
    );
});

test("go.mod replaces each staging library by the version of Kubernetes", () => {
    const staging = versions().kubernetes.replace("v1.", "v0.");
    const replaced = [...goMod.matchAll(/^\t(k8s\.io\/\S+) => (\S+) (\S+)$/gm)];
    expect(replaced.length).toBeGreaterThan(30);
    for (const [line, from, to, version] of replaced) expect([line, to, version]).toStrictEqual([line, from, staging]);
});

test("go.mod names each program as a tool", () => {
    for (const path of Object.values(GO_PACKAGES)) expect(goMod).toContain(`\t${path}\n`);
});

test("the programs are stamped with the pinned version", () => {
    const flags = clusterFlags(versions()).join(" ");
    expect(flags).toMatch(/component-base\/version\.gitVersion=v1\.\d+\.\d+ .*gitMajor=1 .*gitMinor=\d+/);
});

test("the cache key depends on each of its parts and nothing else", () => {
    fc.assert(
        fc.property(fc.string(), fc.string(), fc.array(fc.string()), (mod, sum, flags) => {
            const key = contentKey(mod, sum, flags);
            expect(contentKey(mod, sum, [...flags])).toBe(key);
            const others = [
                contentKey(`${mod}x`, sum, flags),
                contentKey(mod, `${sum}x`, flags),
                contentKey(mod, sum, [...flags, ""]),
                contentKey(mod, sum, flags, [""]),
            ];
            expect(others.includes(key)).toBeFalsy();
            expect(key).toMatch(/^[0-9a-f]{16}$/);
        }),
    );
});

test("the cache folder follows the environment", () => {
    expect(cacheRoot({ ACK_LB_CACHE: "/a", XDG_CACHE_HOME: "/b" })).toBe("/a");
    expect(cacheRoot({ XDG_CACHE_HOME: "/b" })).toBe("/b/ack-loadbalancer");
    expect(cacheRoot({})).toMatch(/\.cache\/ack-loadbalancer$/);
    expect(toolCache({ ACK_LB_CACHE: "/a" })).toMatch(/^\/a\/cluster-[0-9a-f]{16}$/);
});

test("versions are compared by number", () => {
    expect(goIsEnough("1.26.8", "1.26") && goIsEnough("1.100", "1.26") && goIsEnough("2.0", "1.26")).toBeTruthy();
    expect(!goIsEnough("1.9.7", "1.26") && !goIsEnough("1.25.9", "1.26")).toBeTruthy();
    expect(goIsEnough("1.26rc1", "1.26")).toBeTruthy();
    expect(
        sameMinor("1.36.0", "v1.36.3") && !sameMinor("1.3.6", "v1.36.3") && !sameMinor("1.35.9", "v1.36.3"),
    ).toBeTruthy();
});
