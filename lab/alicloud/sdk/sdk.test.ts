import { expect, test } from "@jest/globals";
import { Clock } from "./clock";
import { isPassing, TeaError } from "./errors";
import { flattenArguments } from "./flatten";
import { retry, waitForState } from "./retry";
import { formText, sign } from "./signature";

test("the signature is that of the published example", () => {
    // Alibaba Cloud, "Request signatures" of RPC APIs: DescribeRegions with the key testid and testsecret.
    const parameters = {
        Timestamp: "2016-02-23T12:46:24Z",
        Format: "XML",
        AccessKeyId: "testid",
        Action: "DescribeRegions",
        SignatureMethod: "HMAC-SHA1",
        SignatureNonce: "3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf",
        Version: "2014-05-26",
        SignatureVersion: "1.0",
    };
    expect(sign("GET", parameters, "testsecret")).toBe("OLeaidS1JvxuMvnyHOwuJ+uX5qY=");
});

test("parameters are encoded and flattened", () => {
    expect(formText({ b: "x y*", a: "ü/~" })).toBe("a=%C3%BC%2F~&b=x+y%2A");
    expect(
        flattenArguments({ A: [{ B: 1, C: "" }, { B: true }], D: undefined, E: null, F: { G: ["x"] } }),
    ).toStrictEqual({
        "A.1.B": "1",
        "A.1.C": "",
        "A.2.B": "true",
        "F.G.1": "x",
    });
});

/** A clock that only counts. */
class FastClock extends Clock {
    readonly pauses: number[] = [];
    private time = 0;

    override now(): number {
        return this.time;
    }

    override async sleep(seconds: number): Promise<void> {
        this.time += seconds;
        this.pauses.push(seconds);
    }
}

const throttled = new TeaError(400, "Throttling.User", "slow down", "{}");

test("a repeated call waits its fixed pause and a growing one, until the limit", async () => {
    const clock = new FastClock();
    let attempts = 0;
    const repeated = retry(clock, { limit: 60, pauses: [3, 5], when: isPassing }, () => {
        attempts++;
        return Promise.reject(throttled);
    });
    await expect(repeated).rejects.toBe(throttled);
    const waits = Array.from({ length: attempts - 1 }, (_, i) => clock.pauses[2 * i]! + clock.pauses[2 * i + 1]!);
    expect(waits.slice(0, 6)).toStrictEqual([3.5, 6, 7, 9, 13, 15]);
    expect(clock.now()).toBeLessThan(60 + 15);
});

test("a permanent error is thrown at once", async () => {
    const clock = new FastClock();
    await expect(
        retry(clock, { limit: 60, when: isPassing }, () =>
            Promise.reject(new TeaError(400, "InvalidParameter", "no", "{}")),
        ),
    ).rejects.toThrow();
    expect(clock.pauses).toStrictEqual([]);
});

test("a state is read after the delay, then after 3, 6, 10, 10 … seconds", async () => {
    const clock = new FastClock();
    const states = ["Creating", "Creating", "Creating", "Creating", "Active"];
    await waitForState(clock, { target: ["Active"], limit: 300, delay: 5, look: async () => states.shift() });
    expect(clock.pauses).toStrictEqual([5, 3, 6, 10, 10]);
});

test("a state that is never reached ends with the last one read", async () => {
    const look = async (): Promise<string> => "Creating";
    const state = waitForState(new FastClock(), { target: ["Active"], limit: 120, delay: 0, look });
    await expect(state).rejects.toThrow(
        /^timeout while waiting for state to become 'Active' \(last state: 'Creating', timeout: 2m0s\)$/,
    );
});
