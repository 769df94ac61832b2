import { runPlugin } from "../plugin/main";
import { Service } from "./plugin/service";

void runPlugin("alicloud", (log) => new Service(log));
