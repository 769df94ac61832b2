/** A headless Chromium, driven by its own protocol. */
import { type Browser, launch } from "puppeteer-core";
import { findBrowser } from "./find";

/** Starts the browser, which the caller closes. */
export const launchBrowser = (): Promise<Browser> =>
    launch({
        executablePath: findBrowser(),
        headless: true,
        // Root has no user namespaces to lock pages into, but the pages here are this project's own.
        args: ["--disable-gpu", "--hide-scrollbars", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    });
