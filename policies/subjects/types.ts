/** Type tokens that rules match on, so that no cloud SDK is loaded. */
export * from "../../provider/schema/resource-types";
