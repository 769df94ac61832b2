import { runPlugin } from "../plugin-server/main";
import { Service } from "./plugin/service";

void runPlugin("alicloud", (log) => new Service(log));
