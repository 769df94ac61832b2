/** Services behind an NLB, and NLB resources that a program makes itself: where they are judged otherwise than those of a CLB. */
import type { Case } from "../case";
import { ANNOTATIONS } from "./annotations";
import { CHANGES } from "./changes";
import { RESOURCES } from "./resources";
import { SERVICE } from "./service";

export const NETWORK: readonly Case[] = [...ANNOTATIONS, ...SERVICE, ...CHANGES, ...RESOURCES];
