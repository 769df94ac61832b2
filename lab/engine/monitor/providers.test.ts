import { expect, test } from "@jest/globals";
import { refuseDefault } from "./providers";

const TYPE = "kubernetes:core/v1:Service";

test.each<[what: string, setting: string | undefined]>([
    ["no setting", undefined],
    ["an empty list, which the settings hold as an empty text", ""],
    ["a list of others", '["aws", "alicloud"]'],
])("%s allows the default provider", (_, setting) => {
    refuseDefault("kubernetes", TYPE, setting === undefined ? {} : { "disable-default-providers": setting });
});

test.each<[setting: string, message: string]>([
    ['["kubernetes"]', "Default provider for 'kubernetes' disabled. 'kubernetes:core/v1:Service' must use an explicit"],
    ['["aws", " * "]', "Default provider for 'kubernetes' disabled."],
    ["[1]", "pulumi:disable-default-providers[0] must be a string"],
    ["kubernetes", "Unexpected encoding of pulumi:disable-default-providers"],
    ["{}", "Unexpected encoding"],
])("%s: %s", (setting, message) => {
    expect(() => refuseDefault("kubernetes", TYPE, { "disable-default-providers": setting })).toThrow(message);
});
