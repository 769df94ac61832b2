import { expect, test } from "@jest/globals";
import type { ObservedLoadBalancer } from "../observed";
import type { ReuseRequest } from "../../service/reuse";
import { type FormerTags, formerTags, type RecordedTags } from "./changes";

interface Use {
    readonly reuse?: { readonly request: ReuseRequest; readonly found?: ObservedLoadBalancer };
}

const use = (
    additionalTags: Readonly<Record<string, string>>,
    tags: Readonly<Record<string, string>>,
    loadBalancerId = "lb-1",
): Use => ({
    reuse: {
        request: { loadBalancerId, additionalTags } as unknown as ReuseRequest,
        found: { tags } as unknown as ObservedLoadBalancer,
    },
});

const CASES: readonly (readonly [what: string, recorded: RecordedTags, now: Use, expected: FormerTags | undefined])[] =
    [
        ["the first run", {}, use({ team: "b", web: "1" }, { team: "a" }), { team: { value: "a" }, web: {} }],
        [
            "the run after one that was killed once it had set the tag",
            { ...use({ team: "b" }, { team: "a" }), formerTags: { team: { value: "a" } } },
            use({ team: "b" }, { team: "b" }),
            { team: { value: "a" } },
        ],
        [
            "a tag more",
            { ...use({ team: "b" }, { team: "a" }), formerTags: { team: { value: "a" } } },
            use({ team: "c", tier: "1" }, { team: "b", tier: "0" }),
            { team: { value: "a" }, tier: { value: "0" } },
        ],
        [
            "a tag that is no longer asked for",
            { ...use({ team: "b" }, {}), formerTags: { team: { value: "a" } } },
            use({}, {}),
            undefined,
        ],
        [
            "another instance",
            { ...use({ team: "b" }, {}), formerTags: { team: { value: "a" } } },
            use({ team: "b" }, { team: "x" }, "lb-2"),
            { team: { value: "x" } },
        ],
        ["an instance that is gone", {}, {}, undefined],
    ];

for (const [what, recorded, now, expected] of CASES)
    test(`what the tags of a reused instance were before: ${what}`, () => {
        expect(formerTags(recorded, now)).toStrictEqual(expected);
    });
