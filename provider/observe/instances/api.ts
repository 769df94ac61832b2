import type { Backend } from "../../schema/backend";
import type {
    ObservedAttributes,
    ObservedListener,
    ObservedServerGroup,
    ReusedAttributes,
} from "../../schema/observed";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { Tags } from "../../cloud/http/answer";

/** Access to the load balancers of one type, for the reuse of user-managed ones. */
export interface InstanceApi {
    readonly type: LoadBalancerType;
    /** Undefined if there is no such instance. Tags are absent where they cost another call. */
    describe(id: string): Promise<(ObservedAttributes & { readonly tags?: Tags }) | undefined>;
    /** Waits until an instance that is being created can be changed. */
    awaitReady(found: ObservedAttributes): Promise<void>;
    /** Sets the given attributes; others stay. */
    setAttributes(id: string, attributes: ReusedAttributes): Promise<void>;
    listTags(id: string): Promise<Tags>;
    setTags(id: string, tags: Tags): Promise<void>;
    removeTags(id: string, keys: readonly string[]): Promise<void>;
    /** Undefined if there is no such instance. */
    listListeners(id: string): Promise<ObservedListener[] | undefined>;
    deleteListener(id: string, listener: ObservedListener): Promise<void>;
    /**
     * Server groups without their backends: all of a CLB; of an NLB, whose groups belong to the VPC, those of `ids`.
     */
    listGroups(id: string, ids: readonly string[]): Promise<ObservedServerGroup[]>;
    /** Backends of a group, by backend key. */
    listBackends(groupId: string): Promise<readonly Backend[]>;
    /** Removes an owner's group. Absent for an NLB, whose groups are resources. */
    dropGroup?(groupId: string, owner: string): Promise<void>;
}
