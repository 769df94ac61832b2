import type { FunctionType } from "../types/type";

const all: readonly FunctionType[] = [];

/** All functions by token. */
export const functionTypes: ReadonlyMap<string, FunctionType> = new Map(all.map((type) => [type.token, type]));
