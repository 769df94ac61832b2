import type { Cloud, Tags } from "../cloud";
import type {
    ExistingBackend,
    ExistingGroup,
    ExistingListener,
    InstanceAttributes,
    InstanceFacts,
} from "../model/instance";
import type { LoadBalancerType } from "../model/type";
import { classicInstances } from "./instance-classic";
import { networkInstances } from "./instance-network";

/** What the use of an instance of somebody else needs of the cloud, for one kind of load balancer. */
export interface InstanceApi {
    readonly type: LoadBalancerType;
    /** The instance without what stands on it; undefined if there is none. Tags are left out where they cost a call of their own. */
    describe(id: string): Promise<(InstanceFacts & { readonly tags?: Tags }) | undefined>;
    /** Waits for an instance that was found in the making, until it can be changed. */
    awaitReady(found: InstanceFacts): Promise<void>;
    /** Sets the attributes that are named; others stay. */
    setAttributes(id: string, attributes: InstanceAttributes): Promise<void>;
    listTags(id: string): Promise<Tags>;
    /** Sets tags over former values of the same keys. */
    setTags(id: string, tags: Tags): Promise<void>;
    removeTags(id: string, keys: readonly string[]): Promise<void>;
    /** undefined if the instance is gone. */
    listListeners(id: string): Promise<ExistingListener[] | undefined>;
    deleteListener(id: string, listener: ExistingListener): Promise<void>;
    /**
     * Server groups without their members: all of the instance, or, where groups belong to the VPC, those of these ids.
     */
    listGroups(id: string, ids: readonly string[]): Promise<ExistingGroup[]>;
    /** Members of a group, as they are told to people. */
    listBackends(groupId: string): Promise<ExistingBackend[]>;
    /** Takes a group of an owner's away, where groups go with the instance; others are resources of their own. */
    dropGroup?(groupId: string, owner: string): Promise<void>;
}

/** The instances of a kind. */
export function instancesOf(cloud: Cloud, type: LoadBalancerType = "clb"): InstanceApi {
    return type === "nlb" ? networkInstances(cloud) : classicInstances(cloud);
}
