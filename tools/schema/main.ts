/** Writes `components/plugin/schema.json`: `node dist/tools/schema/main.js`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageSchema } from "./schema";

writeFileSync(
    join(__dirname, "../../../components/plugin/schema.json"),
    `${JSON.stringify(packageSchema(), undefined, 2)}\n`,
);
