import type { Tags } from "..";
import type {
    ObservedBackend,
    ObservedServerGroup,
    ObservedListener,
    ReusedAttributes,
    ObservedAttributes,
} from "../../model/observed";
import type { LoadBalancerType } from "../../schema/load-balancer-type";

/** What the use of a user-managed instance needs of the cloud, for one kind of load balancer. */
export interface InstanceApi {
    readonly type: LoadBalancerType;
    /** The instance without what stands on it; undefined if there is none. Tags are left out where they cost a call of their own. */
    describe(id: string): Promise<(ObservedAttributes & { readonly tags?: Tags }) | undefined>;
    /** Waits for an instance that was found in the making, until it can be changed. */
    awaitReady(found: ObservedAttributes): Promise<void>;
    /** Sets the attributes that are named; others stay. */
    setAttributes(id: string, attributes: ReusedAttributes): Promise<void>;
    listTags(id: string): Promise<Tags>;
    /** Sets tags over former values of the same keys. */
    setTags(id: string, tags: Tags): Promise<void>;
    removeTags(id: string, keys: readonly string[]): Promise<void>;
    /** undefined if the instance is gone. */
    listListeners(id: string): Promise<ObservedListener[] | undefined>;
    deleteListener(id: string, listener: ObservedListener): Promise<void>;
    /**
     * Server groups without their members: all of the instance, or, where groups belong to the VPC, those of these ids.
     */
    listGroups(id: string, ids: readonly string[]): Promise<ObservedServerGroup[]>;
    /** Members of a group, by backend key. */
    listBackends(groupId: string): Promise<ObservedBackend[]>;
    /** Takes a group of an owner's away, where groups go with the instance; others are resources of their own. */
    dropGroup?(groupId: string, owner: string): Promise<void>;
}
