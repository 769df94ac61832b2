/**
 * The GitOps stack: every Service of type LoadBalancer in a folder of manifests, behind a load balancer.
 *
 * Reads and checks all manifests before the first resource is registered: a mistake in one file leaves no other half
 * applied.
 */
import * as pulumi from "@pulumi/pulumi";
import { Cluster } from "../cluster/cluster";
import { exported } from "../run/outputs";
import { readConfig } from "./config";
import { exposeFolder } from "./expose";

const { cluster, ...config } = readConfig();

/** Namespace, name, address, address type and in-cluster address of each Service, by `namespace/name`. */
export const services = exported(pulumi.output(Cluster.discover(cluster).then((found) => exposeFolder(config, found))));
