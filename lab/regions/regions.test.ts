import { expect, test } from "@jest/globals";
import { regionOf, zoneOf } from ".";

test.each([
    ["cn-hangzhou", "k", "cn-hangzhou-k"],
    ["cn-hongkong", "b", "cn-hongkong-b"],
    ["ap-southeast-1", "a", "ap-southeast-1a"],
    ["cn-shanghai-finance-1", "b", "cn-shanghai-finance-1b"],
])("in %s the zone %s is %s", (region, letter, zone) => {
    expect(zoneOf(region, letter)).toBe(zone);
    expect(regionOf(zone)).toBe(region);
});
