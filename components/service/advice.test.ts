import { expect, test } from "@jest/globals";
import type { Diagnostic } from "../../provider/diagnostics";
import { adviceOf } from "./advice";

const warning = (line: number, cause = "it has no effect"): Diagnostic => ({
    code: "annotation-scope",
    severity: "warning",
    setting: "connectionDrain",
    place: {
        subject: "Service shop/web",
        path: ["metadata", "annotations"],
        position: { file: "web.yaml", line, col: 5 },
    },
    cause,
    remedy: "remove it",
});

test("advice has one key for each rule and setting, wherever it stands in the manifest", () => {
    const [first, moved] = [12, 90].map((line) => adviceOf("shop/web", [warning(line)]));
    expect([...(first ?? [])].map(([key]) => key)).toStrictEqual(["annotation-scope: connectionDrain"]);
    expect([...(moved ?? new Map()).keys()]).toStrictEqual([...(first ?? new Map()).keys()]);
    expect(first?.get("annotation-scope: connectionDrain")).toMatch(/web\.yaml:12:5: .*it has no effect/);
});

test("advice of one rule on one setting is given together", () => {
    const advice = adviceOf("shop/web", [warning(1, "for port 80"), warning(2, "for port 81")]);
    expect([...advice.values()]).toStrictEqual([expect.stringMatching(/for port 80[^]*for port 81/)]);
});

test("a load balancer that outlives its Service is advice", () => {
    expect([...adviceOf("shop/web", [], { preserved: true })]).toStrictEqual([
        ["PreservedOnDelete", expect.stringContaining("the load balancer of Service shop/web stays")],
    ]);
});
