/** Preloaded into the engine's children: writes what Node has compiled so far, so that the next process need not compile it. */
import { flushCompileCache } from "node:module";

const EVERY_MS = 500;

setInterval(flushCompileCache, EVERY_MS).unref();
