import { refusal, rule } from "../core";
import type { World } from "../world";
import { findLoadBalancer } from "./lookup";
import type { Backend, LoadBalancer } from "./state";

const ADD = "CLB API AddVServerGroupBackendServers";

const WELL_FORMED = rule({
  id: "slb.backend.well-formed",
  code: "BackendServersMalformed",
  message: "the specified parameter BackendServers is unavailable.",
  when: "the list of backends cannot be read; JSON with double or single quotes is understood",
  source: "CLB API, common error codes; testdata/alicloud-plugin/wire (a-slb-add-backends)",
  enforcement: "always",
});

export const LIST_GIVEN = rule({
  id: "slb.backend.list-given",
  code: "MissingBackendServers",
  message: "BackendServers is mandatory for this action.",
  when: "a call that adds or removes backends carries none; the alicloud plugin sends such a call after 20, 40, … inline servers, and whether the cloud refuses it is unknown",
  source: `${ADD}, parameter BackendServers; testdata/alicloud-plugin (README, fact 15)`,
  enforcement: "off",
});

const CALL_LIMIT = rule({
  id: "slb.backend.per-call",
  code: "TooManyBackendServers",
  message: "The total number of input real servers exceeds max supported number: %s",
  when: "a call carries more backends than `quotas.backendsPerCall`",
  source: `${ADD}, parameter BackendServers; CLB API, common error codes`,
});

const SERVER_ID_GIVEN = rule({
  id: "slb.backend.server-id",
  code: "InvalidParameter",
  message: "The VmName is emtpy.",
  when: "a backend has no ServerId",
  source: "CLB API, common error codes",
  enforcement: "always",
});

const PORT_RANGE = rule({
  id: "slb.backend.port",
  code: "InvalidParameter",
  message: "The specified Port must be between 1 and 65535.",
  when: "the port of a group member is absent or not 1 to 65535",
  source: "ACK FAQ about Services, error table; CLB API, common error codes",
  enforcement: "always",
});

const WEIGHT_RANGE = rule({
  id: "slb.backend.weight",
  code: "InvalidWeight.Malformed",
  message: "A specified weight is not valid.",
  when: "the weight is not 0 to 100",
  source: `${ADD}, parameter BackendServers; CLB API, common error codes`,
  enforcement: "always",
});

const TYPE_KNOWN = rule({
  id: "slb.backend.type",
  code: "BackendServer.InvalidType",
  message: "The specified Type is invalid.",
  when: "the type is not ecs, eni or eci",
  source: `${ADD}, error codes`,
});

const DESCRIPTION_FORM = rule({
  id: "slb.backend.description",
  code: "InvalidParameter",
  message: "The specified BackendServers is invalid, as the length of Description should be in [1, 80].",
  when: "the description is longer than 80 characters",
  source: `${ADD}, parameter BackendServers`,
  enforcement: "off",
});

const ENI_NEEDS_GUARANTEED = rule({
  id: "slb.backend.eni-spec",
  code: "InvalidParameter",
  message: "The loadbalancer does not support backend servers of eni type",
  when: "an eni or eci backend on a shared-resource instance",
  source: "ACK FAQ about Services, error table (the code is not given there)",
});

const INSTANCE_EXISTS = rule({
  id: "slb.backend.instance-exists",
  code: "InvalidServerId.NotExist",
  message: "The specified ServerId is not exist.",
  when: "no ECS instance has the id",
  source: `${ADD}, error codes`,
});

const INSTANCE_RUNNING = rule({
  id: "slb.backend.instance-running",
  code: "ObtainIpFail",
  message: "The specified BackendServers is invalid; some of the specified backend servers do not exist or are not running.",
  when: "the ECS instance is not running",
  source: "CLB API, common error codes",
});

const ENI_EXISTS = rule({
  id: "slb.backend.eni-exists",
  code: "ResourceNotFound.vServers",
  status: 404,
  message: "The specified enis %s does not exist.",
  when: "no network interface has the id",
  source: `${ADD}, error codes`,
});

const ENI_HAS_ADDRESS = rule({
  id: "slb.backend.eni-address",
  code: "InvalidParameter",
  message: "The specified ServerIp %s does not belong to the ENI %s.",
  when: "ServerIp is not an address of the network interface",
  source: `${ADD}, parameter BackendServers (several addresses of one ENI; the text is this lab's)`,
});

const SAME_NETWORK = rule({
  id: "slb.backend.same-vpc",
  code: "NetworkConflict",
  message: "there are network conflicts in specified parameter.",
  when: "a backend is in another VPC than the intranet instance",
  source: `${ADD}, error codes; ACK FAQ about Services, error table`,
});

const ONE_VPC = rule({
  id: "slb.backend.one-vpc",
  code: "InvalidBackendServers.Inconsistent",
  message: "All BackendServers on one Specified LoadBalancer have to be in the same vpc or all classic",
  when: "backends of one instance are in different VPCs",
  source: "CLB API, common error codes",
});

export const ADDRESS_CONFLICT = rule({
  id: "slb.backend.address-conflict",
  code: "InvalidBackendServers.ServerIpConflict",
  message: "The ServerIp %s with port %s is already used by another backend server.",
  when: "one group would hold the same address and port through two server ids, as when a pod address has moved to another ENI",
  source: `${ADD}, error codes`,
});

export const INSTANCE_BACKEND_QUOTA = rule({
  id: "slb.backend.instance-quota",
  code: "InstanceBackendServerNumberOverLimit",
  message: "The backend server number has reached to the quota limit of this load balancer",
  when: "the members of all groups of the instance would exceed `quotas.backendsPerLoadBalancer`",
  source: "CLB quotas (slb_quota_backendservers_num); ACK FAQ about Services, error table; kubernetes/cloud-provider-alibaba-cloud (code)",
});

export const ATTACHMENT_QUOTA = rule({
  id: "slb.backend.attachment-quota",
  code: "ServerAttachedNumberOverLimit",
  message: "The backend server number has reached to the quota limit of this load balancers",
  when: "a server would be a backend more often than `quotas.attachmentsPerServer`",
  source: "CLB quotas (slb_quota_backendserver_attached_num); ACK FAQ about Services, error table (the code is this lab's)",
});

/** Reads a list of backends: JSON, or the same with single quotes. Keys are understood in any case; unknown ones are ignored. */
export function parseBackends(text: string | undefined): Record<string, unknown>[] {
  if (text === undefined) return [];
  const attempts = [text, text.replaceAll("'", '"')];
  for (const attempt of attempts) {
    try {
      const value: unknown = JSON.parse(attempt);
      if (Array.isArray(value)) return value.map((item) => lowerKeys(item));
    } catch {
      // The next spelling is tried; if none can be read the list is malformed.
    }
  }
  throw refusal(WELL_FORMED);
}

function lowerKeys(item: unknown): Record<string, unknown> {
  if (item === null || typeof item !== "object") throw refusal(WELL_FORMED);
  return Object.fromEntries(Object.entries(item).map(([key, value]) => [key.toLowerCase(), value]));
}

/** What a request says about one backend; what it does not say is undefined. */
export interface GivenBackend {
  readonly serverId: string;
  readonly port: number | undefined;
  readonly weight: number | undefined;
  readonly type: string | undefined;
  readonly serverIp: string | undefined;
  readonly description: string | undefined;
  readonly serverType: string | undefined;
}

function field(raw: Record<string, unknown>, name: string): string | undefined {
  const value = raw[name];
  return value === undefined || value === null || value === "" ? undefined : String(value);
}

/** Reads and checks the backends of a call, each by itself. */
export function readBackends(world: World, text: string | undefined, ported = true): GivenBackend[] {
  const raw = parseBackends(text);
  const { backendsPerCall } = world.config.quotas;
  world.rules.check(CALL_LIMIT, raw.length <= backendsPerCall, backendsPerCall);
  return raw.map((item) => {
    const serverId = field(item, "serverid");
    if (serverId === undefined) throw refusal(SERVER_ID_GIVEN);
    const port = field(item, "port");
    if (ported) world.rules.check(PORT_RANGE, inRange(port, 1, 65535));
    const weight = field(item, "weight");
    world.rules.check(WEIGHT_RANGE, weight === undefined || inRange(weight, 0, 100));
    const type = field(item, "type")?.toLowerCase();
    world.rules.check(TYPE_KNOWN, type === undefined || ["ecs", "eni", "eci"].includes(type));
    const description = field(item, "description");
    world.rules.check(DESCRIPTION_FORM, description === undefined || [...description].length <= 80);
    return {
      serverId,
      port: ported ? Number(port) : undefined,
      weight: weight === undefined ? undefined : Number(weight),
      type,
      serverIp: field(item, "serverip"),
      description,
      serverType: field(item, "servertype"),
    };
  });
}

function inRange(text: string | undefined, min: number, max: number): boolean {
  return text !== undefined && /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
}

/** A complete backend from what a request says, with its address looked up and everything checked that the cloud knows of the server. */
export function resolveBackend(world: World, lb: LoadBalancer, given: GivenBackend): Backend {
  const type = given.type ?? "ecs";
  const where = type === "ecs" ? resolveInstance(world, given) : resolveInterface(world, lb, given);
  world.rules.check(SAME_NETWORK, lb.vpcId === "" || where.vpcId === undefined || where.vpcId === lb.vpcId);
  return {
    serverId: given.serverId,
    port: given.port,
    weight: given.weight ?? 100,
    type,
    // Only what the caller gave is reported for ECS backends; the address of an instance is not part of its identity.
    serverIp: type === "ecs" ? "" : (given.serverIp ?? where.address),
    description: given.description ?? "",
    ...(given.serverType === undefined ? {} : { serverType: given.serverType }),
  };
}

interface Place {
  readonly vpcId: string | undefined;
  readonly address: string;
}

function resolveInstance(world: World, given: GivenBackend): Place {
  const instance = world.ecs.instances.get(given.serverId);
  world.rules.check(INSTANCE_EXISTS, instance !== undefined);
  world.rules.check(INSTANCE_RUNNING, instance === undefined || instance.status === "Running");
  return { vpcId: instance?.vpcId, address: instance?.privateIp ?? "" };
}

function resolveInterface(world: World, lb: LoadBalancer, given: GivenBackend): Place {
  world.rules.check(ENI_NEEDS_GUARANTEED, lb.spec !== "");
  // Elastic container instances are not modelled; their address is taken as given.
  if (given.type === "eci") return { vpcId: undefined, address: given.serverIp ?? "" };
  const eni = world.ecs.networkInterfaces.get(given.serverId);
  world.rules.check(ENI_EXISTS, eni !== undefined, given.serverId);
  if (eni === undefined) return { vpcId: undefined, address: given.serverIp ?? "" };
  const address = given.serverIp ?? eni.privateIps[0] ?? "";
  const known = eni.privateIps.includes(address) || eni.ipv6Addresses.includes(address);
  world.rules.check(ENI_HAS_ADDRESS, known, address, given.serverId);
  return { vpcId: eni.vpcId, address };
}

/** Two entries are the same member if server, port and (for interfaces) address agree. An address that a request leaves out matches any. */
export function sameMember(member: Backend, given: GivenBackend): boolean {
  return member.serverId === given.serverId && member.port === given.port && (given.serverIp === undefined || member.type === "ecs" || member.serverIp === given.serverIp);
}

/** All members of all groups of an instance. */
export function backendsOf(world: World, loadBalancerId: string): Backend[] {
  const groups = [...world.slb.vServerGroups.values(), ...world.slb.masterSlaveGroups.values()].filter((g) => g.loadBalancerId === loadBalancerId);
  return [...(world.slb.loadBalancers.get(loadBalancerId)?.backends ?? []), ...groups.flatMap((g) => g.backends)];
}

/** Checks what the members of a group must fulfil together with all others. `group` are the members as they would be, `others` those of the instance's other groups. */
export function checkMembers(world: World, loadBalancerId: string, group: readonly Backend[], others: readonly Backend[]): void {
  const lb = findLoadBalancer(world, loadBalancerId);
  const all = [...group, ...others];
  world.rules.check(INSTANCE_BACKEND_QUOTA, all.length <= world.config.quotas.backendsPerLoadBalancer);
  checkOneVpc(world, lb, all);
  checkAddresses(world, group);
  const elsewhere = [...world.slb.loadBalancers.keys()].filter((id) => id !== loadBalancerId).flatMap((id) => backendsOf(world, id));
  const counts = new Map<string, number>();
  for (const b of [...all, ...elsewhere]) counts.set(`${b.serverId} ${b.serverIp}`, (counts.get(`${b.serverId} ${b.serverIp}`) ?? 0) + 1);
  const overAttached = group.some((b) => (counts.get(`${b.serverId} ${b.serverIp}`) ?? 0) > world.config.quotas.attachmentsPerServer);
  world.rules.check(ATTACHMENT_QUOTA, !overAttached);
}

function checkOneVpc(world: World, lb: LoadBalancer, members: readonly Backend[]): void {
  const vpcs = new Set(members.map((b) => (b.type === "ecs" ? world.ecs.instances : world.ecs.networkInterfaces).get(b.serverId)?.vpcId).filter((id) => id !== undefined));
  if (lb.vpcId !== "") vpcs.add(lb.vpcId);
  world.rules.check(ONE_VPC, vpcs.size <= 1);
}

function checkAddresses(world: World, group: readonly Backend[]): void {
  const holders = new Map<string, string>();
  for (const b of group) {
    if (b.serverIp === "") continue;
    const key = `${b.serverIp} ${b.port ?? 0}`;
    const holder = holders.get(key);
    world.rules.check(ADDRESS_CONFLICT, holder === undefined || holder === b.serverId, b.serverIp, b.port ?? 0);
    holders.set(key, b.serverId);
  }
}
