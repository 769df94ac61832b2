import { walk, type WalkOptions } from "./walk";

void walk(JSON.parse(process.argv[2] ?? "{}") as WalkOptions).then((wrong) => process.exit(wrong === 0 ? 0 : 1));
