/** `make browser`: the Chromium in which the report's page is tested and drawn. */
import { installBrowser } from "./find";

try {
    const report = (line: string): void => void process.stdout.write(`==> ${line}\n`);
    process.stdout.write(`chromium: ${installBrowser(report)}\n`);
} catch (error) {
    process.stderr.write(`browser: ${(error as Error).message}\n`);
    process.exitCode = 1;
}
