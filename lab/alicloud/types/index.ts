import { applicationLoadBalancer, loadBalancer } from "./slb/load-balancer";
import { listener } from "./slb/listener";
import { serverGroup } from "./slb/server-group";
import type { ResourceType } from "./type";

const all: readonly ResourceType[] = [applicationLoadBalancer, loadBalancer, listener, serverGroup];

/** All resource types by token. */
export const resourceTypes: ReadonlyMap<string, ResourceType> = new Map(all.map((type) => [type.token, type]));
