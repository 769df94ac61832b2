import type { Client } from "../sdk/client";
import type { ResourceData } from "../terraform/data";
import type { SchemaMap } from "../terraform/schema";

export type Operation = (data: ResourceData, client: Client) => Promise<void>;

/** A kind of resource: its attributes and what its operations do in the cloud. */
export interface ResourceType {
    /** Such as `alicloud:slb/acl:Acl`. */
    readonly token: string;
    readonly schema: SchemaMap;
    /** Limits in seconds, kept with the state. */
    readonly timeouts?: { readonly create?: number; readonly update?: number; readonly delete?: number };
    readonly deprecated?: string;
    /** Makes the object and sets the id. */
    readonly create: Operation;
    /** Sets all attributes. An empty id says that the object is gone. */
    readonly read: Operation;
    /** Absent where every change replaces. */
    readonly update?: Operation;
    readonly delete: Operation;
}

/** Data source, with arguments and results in one schema. */
export interface FunctionType {
    /** Such as `alicloud:slb/getAcls:getAcls`. */
    readonly token: string;
    readonly schema: SchemaMap;
    /** Sets results and the id. */
    readonly read: Operation;
}
