/** Values of options: refused in the words of the user, and never taken as they are. */
import { expect, test } from "@jest/globals";
import { run } from "./main";

async function refused(argv: readonly string[]) {
    let error = "";
    const code = await run(argv, { out: () => undefined, error: (text) => void (error += text) });
    return { code, message: error.split("\n\nusage:")[0] ?? "" };
}

for (const [argv, message] of [
    [["check", "-", "--vpc-id", "foo"], /--vpc-id: "foo" is not allowed; write the id of a VPC, such as vpc-/],
    [["check", "-", "--vswitches", "foo"], /--vswitches: "foo" is not allowed; write ids of vSwitches/],
    [["check", "-", "--vswitches", "vsw-1,"], /--vswitches: "vsw-1," is not allowed/],
    [["check", "-", "--cluster-id", "C 1"], /--cluster-id: "C 1" is not allowed; write an id of letters/],
    [["check", "-", "--cluster-id", ""], /--cluster-id: "" is not allowed/],
    [["sync", "--ram-role", "bad role"], /--ram-role: must be the name of a RAM role/],
    [["sync", "--resync-seconds", "9"], /--resync-seconds: must be a whole number from 10 to 86400/],
    [["sync", "--resync-seconds", ""], /--resync-seconds: must be a whole number from 10 to 86400/],
    [["sync", "--port", "1e3"], /--port: must be a whole number from 0 to 65535/],
    [["sync", "--log-level", "loud"], /--log-level: must be one of error, warn, info, debug/],
    [["sync", "--lease", "A b"], /--lease: must be the name of a Lease/],
    [["sync", "--namespace", "Shop"], /--namespace: must be the name of a namespace/],
    [["sync", "--cluster-id", "C 1"], /--cluster-id: must be the id of a cluster/],
    [["sync", "--image", "", "--manifests"], /--image: must not be empty/],
] as const) {
    test(`refused: ${argv.join(" ")}`, async () => {
        const { code, message: said } = await refused(argv);
        expect([code, said]).toStrictEqual([2, expect.stringMatching(message)]);
        expect(said).not.toMatch(/Too (?:small|big)|Invalid (?:option|input|string)|expected /);
    });
}
