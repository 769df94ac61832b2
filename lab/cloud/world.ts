import { zoneOf } from "../regions";
import { copyOf, Ids, RuleBook, defaultConfig, type Config } from "./core";
import { emptyEcs, type EcsState } from "./ecs/state";
import { emptyNlb, type NlbState } from "./nlb/state";
import { emptySlb, type SlbState } from "./slb/state";
import { emptyVpc, type VpcState } from "./vpc/state";

/** State of a simulated cloud: settings, rules and the objects of each product. Only actions read and change it. */
export class World {
    config: Config = defaultConfig();
    readonly rules = new RuleBook();
    ids = new Ids();
    slb: SlbState = emptySlb();
    nlb: NlbState = emptyNlb();
    vpc: VpcState = emptyVpc();
    ecs: EcsState = emptyEcs();

    constructor(
        /** Region of all objects, such as `cn-hangzhou`. */
        readonly region: string,
        /** Account that owns everything. */
        readonly accountId: string = "1000000000000001",
    ) {}

    /** Milliseconds since 1970. A test may set another clock. */
    now: () => number = Date.now;

    /** Full name of a zone of the region by its letter. */
    zone(letter: string): string {
        return zoneOf(this.region, letter);
    }

    /** The default primary and secondary zone. */
    defaultZones(): [master: string, slave: string] {
        const [master = "a", slave = "b"] = this.config.zones;
        return [this.zone(master), this.zone(slave)];
    }

    /** Copy of all objects at this moment, independent of later changes. Jobs that are running remain running in it. */
    asItIs(): World {
        const copy = Object.create(this) as World;
        copy.slb = copyOf(this.slb);
        copy.nlb = { ...copyOf(this.nlb), pending: [] };
        copy.vpc = copyOf(this.vpc);
        copy.ecs = copyOf(this.ecs);
        return copy;
    }

    /** Forgets all objects and ids. Settings and rules stay. */
    clear(): void {
        this.ids = new Ids();
        this.slb = emptySlb();
        this.nlb = emptyNlb();
        this.vpc = emptyVpc();
        this.ecs = emptyEcs();
    }
}
