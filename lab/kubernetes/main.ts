import { runPlugin } from "../plugin/main";
import { Service } from "./service";

void runPlugin("kubernetes", (log) => new Service(log));
