/**
 * The GitOps stack: every Service of type LoadBalancer in a folder of manifests, behind a load balancer.
 *
 * All manifests are read and checked before the first resource is registered, so a mistake in one file never leaves another half applied.
 */
import * as v8 from "node:v8";
import * as pulumi from "@pulumi/pulumi";
import { Cluster } from "../service/cluster";
import { exported } from "../service/outputs";
import { readConfig } from "./config";
import { exposeFolder } from "./expose";
import { omitBookkeepingStacks, omitPromiseStacks, sdkPromiseNotes } from "./stack-traces";

// Most of what a registration allocates is garbage when the engine has answered. By default V8 lets the heap double before it looks: 500 Services need 1.7 GB then, and 1.3 GB so.
v8.setFlagsFromString("--heap-growing-percent=50");
Error.prepareStackTrace = omitBookkeepingStacks();
omitPromiseStacks(sdkPromiseNotes());

const { cluster, ...config } = readConfig();

/** Namespace, name, address, address type and in-cluster address of each Service, by `namespace/name`. */
export const services = exported(pulumi.output(Cluster.discover(cluster).then((found) => exposeFolder(config, found))));
