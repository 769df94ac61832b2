/** The zones of an NLB with their vSwitches and addresses, which the alicloud plugin gives when it creates the instance and never compares again. */
import { isDeepStrictEqual } from "node:util";
import { nlb } from "../../../alicloud";
import { type CheckResult, isUnknown, plain } from "../values";
import { type AccountReference, openPlace } from "../place";

/** Where an NLB stands in one zone. */
export interface ZoneInputs {
    readonly vswitchId: string;
    /** Address in the vSwitch. Absent: the cloud chooses. */
    readonly privateIpv4?: string;
    /** Elastic IP address. Absent: the cloud allocates one if the load balancer is public. */
    readonly allocationId?: string;
}

/** Inputs of an instance's zones. */
export interface LoadBalancerZonesInputs {
    readonly loadBalancerId: string;
    /** Zones by zone id. A map: a change is one line of the preview. */
    readonly zones: Readonly<Record<string, ZoneInputs>>;
    /** `Internet` or `Intranet`; elastic addresses are bound when the load balancer becomes public. */
    readonly addressType: string;
    /** Nothing is done in this run, so that the cloud is asked what it would say; never stored. */
    readonly preview?: boolean;
    readonly region?: string;
    readonly account?: AccountReference;
}

/** Asks, in a preview, whether the cloud would change the zones of a living instance. With another address type in the same run it would judge what is not there yet. */
export async function check(
    olds: Partial<LoadBalancerZonesInputs>,
    { preview, ...news }: LoadBalancerZonesInputs,
): Promise<CheckResult<LoadBalancerZonesInputs>> {
    const settled =
        !isUnknown(news.zones) &&
        !isUnknown(news.region) &&
        olds.loadBalancerId !== undefined &&
        olds.loadBalancerId === news.loadBalancerId;
    if (!preview || !settled || olds.addressType !== news.addressType || isDeepStrictEqual(olds.zones, news.zones)) {
        return { inputs: news, failures: [] };
    }
    const answer = await nlb.wouldUpdateZones(connect(news), news.loadBalancerId, desiredZones(news));
    const failures =
        answer.verdict === "refused"
            ? [
                  {
                      property: "",
                      reason: `the cloud would not change the zones of ${news.loadBalancerId}. ${answer.error.message}`,
                  },
              ]
            : [];
    return { inputs: news, failures };
}

/** The plugin has just made the instance with these zones. */
export async function create(inputs: LoadBalancerZonesInputs): Promise<{ id: string; outs: LoadBalancerZonesInputs }> {
    return { id: inputs.loadBalancerId, outs: plain(inputs) };
}

/** Adds, changes and gives up zones in one call. */
export async function update(
    _id: string,
    _olds: LoadBalancerZonesInputs,
    news: LoadBalancerZonesInputs,
): Promise<{ outs: LoadBalancerZonesInputs }> {
    const cloud = connect(news);
    const instance = await nlb.getNlbLoadBalancer(cloud, news.loadBalancerId);
    if (instance === undefined) {
        throw new Error(
            `load balancer ${news.loadBalancerId} does not exist, so its zones cannot be changed. Remedy: run pulumi up --refresh, which makes it again.`,
        );
    }
    const desired = desiredZones(news);
    if (
        desired.length !== instance.zones.length ||
        !desired.every((zone) => instance.zones.some((actual) => fits(zone, actual)))
    ) {
        await nlb.updateZones(
            cloud,
            news.loadBalancerId,
            desired.map((zone) => nlb.keepAddresses(zone, instance.zones)),
        );
    }
    return { outs: plain(news) };
}

const desiredZones = ({ zones }: LoadBalancerZonesInputs): nlb.NlbZone[] =>
    Object.entries(zones).map(([zoneId, zone]) => ({ zoneId, ...zone }));

/** An address that is not asked for may be any. */
function fits(desired: nlb.NlbZone, actual: nlb.NlbZone): boolean {
    const same = (key: "privateIpv4" | "allocationId") => desired[key] === undefined || desired[key] === actual[key];
    return (
        desired.zoneId === actual.zoneId &&
        desired.vswitchId === actual.vswitchId &&
        same("privateIpv4") &&
        same("allocationId")
    );
}

/** The zones as they are, with the addresses that were asked for; gone with their instance. */
export async function read(
    id: string,
    props: LoadBalancerZonesInputs,
): Promise<{ id?: string; props?: LoadBalancerZonesInputs; inputs?: LoadBalancerZonesInputs }> {
    const instance = await nlb.getNlbLoadBalancer(connect(props), props.loadBalancerId);
    if (instance === undefined) {
        return {};
    }
    const zones = Object.fromEntries(
        instance.zones.map(({ zoneId, vswitchId, privateIpv4, allocationId }) => {
            const asked = props.zones[zoneId];
            return [
                zoneId,
                {
                    vswitchId,
                    ...(asked?.privateIpv4 && { privateIpv4 }),
                    ...(asked?.allocationId && { allocationId }),
                },
            ];
        }),
    );
    const actual = plain({
        ...props,
        zones: Object.fromEntries(Object.entries(zones).sort(([a], [b]) => (a < b ? -1 : 1))),
    });
    return { id, props: actual, inputs: actual };
}

function connect(inputs: LoadBalancerZonesInputs) {
    return openPlace(inputs);
}
