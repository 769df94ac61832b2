import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

/** A profile of the Alibaba Cloud CLI with an access key pair (mode `AK`). */
export interface Profile {
    readonly accessKey: string;
    readonly secretKey: string;
    readonly region: string;
}

interface File {
    readonly profiles?: readonly Readonly<Partial<Record<string, string>>>[];
}

/**
 * Reads a profile. Not recorded: written by the provider's reference of `profile` and `shared_credentials_file`.
 *
 * @param file default `~/.aliyun/config.json`.
 * @returns undefined if there is no such profile.
 */
export function readProfile(name: string, file: string): Profile | undefined {
    const place = file === "" ? path.join(os.homedir(), ".aliyun/config.json") : file;
    if (name === "" || !fs.existsSync(place)) return undefined;
    const { profiles = [] } = JSON.parse(fs.readFileSync(place, "utf8")) as File;
    const found = profiles.find((profile) => profile["name"] === name);
    return (
        found && {
            accessKey: found["access_key_id"] ?? "",
            secretKey: found["access_key_secret"] ?? "",
            region: found["region_id"] ?? "",
        }
    );
}
