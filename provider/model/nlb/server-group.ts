import type { BackendIpVersion } from "../backend";
import type { ClbServerGroup } from "../clb/server-group";
import type { NlbProtocol } from "../../schema/protocols";

/** What an NLB server group holds: ECS instances and network interfaces, or addresses. */
export type ServerGroupType = "Instance" | "Ip";

/** How an NLB checks the members of a group. Times in seconds. */
export type NlbHealthCheck =
    | { readonly enabled: false }
    | {
          readonly enabled: true;
          readonly type: "TCP" | "HTTP" | "UDP";
          /** 0 = the member's own port. */
          readonly connectPort: number;
          readonly connectTimeout: number;
          readonly interval: number;
          readonly healthyThreshold: number;
          readonly unhealthyThreshold: number;
          /** Checks by HTTP. */
          readonly http?: {
              readonly url: string;
              readonly domain: string;
              readonly method: "GET" | "HEAD";
              readonly codes: readonly string[];
          };
      };

/** A server group of a Service on an NLB. It belongs to the VPC, and carries what a CLB has in its listeners. */
export interface NlbServerGroup extends ClbServerGroup {
    readonly protocol: NlbProtocol;
    readonly type: ServerGroupType;
    /** Members answer on the port that the client has asked for. */
    readonly anyPort: boolean;
    readonly ipVersion: BackendIpVersion;
    /** As the API writes it: `Wrr`, `Sch`, … */
    readonly scheduler: string;
    /** Seconds that connections to a removed member may go on; absent = they are left open. */
    readonly drainTimeout?: number;
    /** Absent = the cloud chooses. */
    readonly preserveClientIp?: boolean;
    readonly healthCheck: NlbHealthCheck;
    /** Port in names: of a group for a range of ports; absent = {@link ClbServerGroup.backendPort}. */
    readonly range?: string;
}
