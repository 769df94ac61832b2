import { PolicyPack } from "@pulumi/policy";
import { rules } from "./index";

new PolicyPack("ack-loadbalancer", { policies: [...rules] });
