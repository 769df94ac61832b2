import { expect, test } from "@jest/globals";
import { describeProgress } from "./progress";

const QUOTA = ["StartLoadBalancerListener", "CreateVServerGroup", "CreateVServerGroup"];

test.each([
    [
        "in the first minute no rate is assumed that the quotas do not allow",
        { all: 500, done: 45, elapsedMs: 12_000, usedUp: QUOTA },
        "45 of 500 Services done, about 11 minutes left; waiting for the cloud's quota of CreateVServerGroup, StartLoadBalancerListener",
    ],
    [
        "later the Services that are done say how long it takes",
        { all: 500, done: 450, elapsedMs: 600_000, usedUp: ["CreateVServerGroup"] },
        "450 of 500 Services done, about 2 minutes left; waiting for the cloud's quota of CreateVServerGroup",
    ],
    [
        "one minute",
        { all: 50, done: 49, elapsedMs: 1_000, usedUp: ["CreateVServerGroup"] },
        "49 of 50 Services done, about 1 minute left; waiting for the cloud's quota of CreateVServerGroup",
    ],
    [
        "nothing is done yet",
        { all: 50, done: 0, elapsedMs: 1_000, usedUp: ["CreateVServerGroup"] },
        "0 of 50 Services done; waiting for the cloud's quota of CreateVServerGroup",
    ],
    ["no quota is used up", { all: 50, done: 3, elapsedMs: 90_000, usedUp: [] }, undefined],
    ["everything is done", { all: 50, done: 50, elapsedMs: 90_000, usedUp: QUOTA }, undefined],
])("%s", (_what, progress, line) => {
    expect(describeProgress(progress)).toBe(line);
});
