import { expect, test } from "@jest/globals";
import { COMPONENT_TYPES, componentType, dynamicType, knownType, servedType } from "./own-types";
import { BACKENDS_TYPE, SERVICE_TYPE, SHARED_TYPE } from "./resource-types";

test("rules and reports know a resource of the plugin by its dynamic type", () => {
    expect(knownType(servedType("Backends"))).toBe(BACKENDS_TYPE);
    for (const type of [
        ...COMPONENT_TYPES.map(componentType),
        BACKENDS_TYPE,
        SERVICE_TYPE,
        SHARED_TYPE,
        "kubernetes:core/v1:Service",
    ])
        expect(knownType(type)).toBe(type);
    expect(dynamicType("Backends")).toBe(BACKENDS_TYPE);
});
