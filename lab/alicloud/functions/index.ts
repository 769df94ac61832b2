import type { FunctionType } from "../types/type";
import { nlbListeners } from "./nlb/listeners";
import { slbServerGroups } from "./slb/server-groups";

const all: readonly FunctionType[] = [nlbListeners, slbServerGroups];

/** The functions by token: two, with which the recordings show how each product is reached. */
export const functionTypes: ReadonlyMap<string, FunctionType> = new Map(all.map((type) => [type.token, type]));
