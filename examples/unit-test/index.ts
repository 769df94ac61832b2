// The program: what shop.test.ts tests without a cluster, a cloud or the Pulumi engine.
import * as pulumi from "@pulumi/pulumi";
import { Cluster } from "ack-loadbalancer";
import { exposeShop } from "./shop";

export const address = exposeShop(new Cluster({ clusterId: new pulumi.Config().require("clusterId") })).address;
