import { runPlugin } from "../plugin-server/main";
import { Service } from "./service";

void runPlugin("kubernetes", (log) => new Service(log));
