/** `make screenshots`: the report's page as a browser shows it, light and dark, into docs/images. */
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "../../cli/main";
import { launchBrowser } from "../browser/launch";

/** Pictures by name: the preview, the part of the page, and how the reader likes it. */
const SHOTS = [
    { name: "report-light", preview: "local-scale", scheme: "light" },
    { name: "report-dark", preview: "protocol", scheme: "dark" },
] as const;

const WIDTH = 1100;
const HEIGHT = 760;

async function main(): Promise<void> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-lb-screenshots-"));
    const browser = await launchBrowser();
    try {
        for (const { name, preview, scheme } of SHOTS) {
            const file = path.join(folder, `${name}.html`);
            const argv = ["report", `testdata/previews/${preview}.json`, "--format", "html", "--output", file];
            const code = await run(argv, OUTPUT);
            if (code !== 0) throw new Error(`the report on ${preview} ended with ${code}`);
            const page = await browser.newPage();
            await page.setViewport({ width: WIDTH, height: HEIGHT });
            await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
            await page.goto(pathToFileURL(file).href, { waitUntil: "load" });
            const picture = `docs/images/${name}.webp` as const;
            await page.screenshot({ path: picture, type: "webp", quality: 80 });
            process.stdout.write(`${picture}\n`);
        }
    } finally {
        await browser.close();
        fs.rmSync(folder, { recursive: true });
    }
}

const OUTPUT = {
    out: (text: string) => void process.stdout.write(text),
    error: (text: string) => void process.stderr.write(text),
};

void main();
