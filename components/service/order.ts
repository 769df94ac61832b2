import * as os from "node:os";
import * as pulumi from "@pulumi/pulumi";
import type { ServiceContract } from "../../provider/resources";
import type { AnyContext } from "./context";
import { promiseOf } from "./outputs";
import { perRun } from "./run";

/**
 * Services that a run changes at once: as many as the engine takes steps (`--parallel`, four for each processor by
 * default), and 8 at least. Without a bound all of them take their first step before one takes its second, and a run
 * waits for the write quotas of one action after the other instead of all at the same time.
 */
function servicesAtOnce(): number {
    const steps = Number(process.env["PULUMI_NODEJS_PARALLEL"]);
    return Math.max(8, steps > 0 ? steps : 4 * os.availableParallelism());
}

/** Turns of the Services that wait for nothing else of the program. */
export class Turns {
    readonly #waiting: (() => void)[] = [];
    #free: number;

    /** @param atOnce turns at the same time. */
    constructor(atOnce: number) {
        this.#free = atOnce;
    }

    async take(): Promise<void> {
        if (this.#free > 0) this.#free--;
        else await new Promise<void>((start) => this.#waiting.push(start));
    }

    release(): void {
        const next = this.#waiting.shift();
        if (next === undefined) this.#free++;
        else next();
    }
}

const turns = perRun(() => new Turns(servicesAtOnce()));

/** Gives a Service's turn to the next one once its last resource is registered, or could not be. */
export function endTurn({ independent }: Pick<AnyContext, "independent">, last: pulumi.Resource): void {
    if (!independent || pulumi.runtime.isDryRun()) return;
    const release = () => turns().release();
    promiseOf(last.urn).then(release, release);
}

/** Contracts of a run that wait for nothing else of the program. */
class Contracts {
    readonly #independent: ServiceContract[] = [];
    #all: Promise<void> | undefined;

    add(contract: ServiceContract): void {
        this.#independent.push(contract);
    }

    /** Done once every contract is registered that the program makes before it first waits for something. */
    all(): Promise<void> {
        this.#all ??= new Promise((resolve) => setImmediate(resolve)).then(async () => {
            await Promise.all(this.#independent.map(({ urn }) => promiseOf(urn)));
            if (pulumi.log.hasErrors()) throw new pulumi.RunError("no Service was changed, because the program failed");
        });
        return this.#all;
    }
}

const contracts = perRun(() => new Contracts());

/** Notes a contract, unless its registration may wait for a resource of another component: that one would wait for it in turn. */
export function noteContract({ independent }: AnyContext, contract: ServiceContract): void {
    if (independent) {
        contracts().add(contract);
    }
}

/**
 * A value for the first resource that changes something for a Service, known once the contracts of all Services are registered and it is this Service's turn: a run without
 * preview changes nothing for one Service if another is refused. The wait leaves no dependency in the state, and single Services can still be targeted.
 */
export function afterAllChecks<Value>(
    { independent }: Pick<AnyContext, "independent">,
    value: Value,
): pulumi.Output<pulumi.Unwrap<Value>> {
    if (pulumi.runtime.isDryRun()) return pulumi.output(value);
    const turn = contracts()
        .all()
        .then(() => (independent ? turns().take() : undefined));
    return pulumi.output(turn.then(() => value));
}
