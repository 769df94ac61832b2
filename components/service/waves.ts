/** Starts the Services of a run one after the other, and says how far the run is while it waits for quotas. */
import * as os from "node:os";
import * as pulumi from "@pulumi/pulumi";
import type { Account } from "../../provider/schema/account";
import { accountKey } from "./account";
import { describeProgress } from "./progress";
import { usedUpQuotas } from "./quota";
import { perRun } from "./run";

/**
 * Services that are under way at once: as many as the engine takes steps at once, but 8 at least and 32 at most. Without a bound all of them would take their first step before
 * one takes its second, and the quotas of the second step's actions would lie idle meanwhile: a creation would need the sum of the quotas' times in place of the longest. With
 * more than the engine has places, first steps that wait for their quota would keep the places that second steps need.
 *
 * @param steps the engine's `--parallel`, as the program gets it; by default four for each processor
 */
export function servicesAtOnce(steps: string | undefined): number {
    const places = Number(steps) > 0 ? Number(steps) : 4 * os.availableParallelism();
    return Math.min(32, Math.max(8, places));
}

/**
 * A further Service starts where none has started or ended for so many milliseconds, since those under way may wait for it. It is long enough not to start many while a quota is
 * used up: their first steps would keep the engine from the last steps of those before them.
 */
const PATIENCE_MS = 15_000;

/** Milliseconds between two looks, and between two lines that stay. */
const LOOK_MS = 10_000;
const LINE_MS = 60_000;

/** The Services of one run: those that wait, those that are under way, and those of which everything is there. */
export class Waves {
    readonly #waiting: { readonly name: string; readonly start: () => void }[] = [];
    readonly #underWay = new Set<string>();
    readonly #accounts = new Map<string, Account>();
    #done = 0;
    #trickle: NodeJS.Timeout | undefined;
    #looks: NodeJS.Timeout | undefined;
    #since = 0;
    #lineAt = 0;

    /**
     * @param atOnce Services that are under way at once
     * @param usedUp actions of an account whose quota is used up
     * @param say shows a line; one that does not stay is replaced by the next
     */
    constructor(
        private readonly atOnce: number,
        private readonly usedUp: (account: Account) => readonly string[],
        private readonly say: (line: string, stays: boolean) => void,
    ) {}

    /** Resolves when a Service may start. */
    start(name: string, account: Account): Promise<void> {
        this.#accounts.set(accountKey(account), account);
        this.#watch();
        return new Promise((start) => {
            this.#waiting.push({ name, start });
            this.#next();
        });
    }

    /** Everything of a Service is there. */
    done(name: string): void {
        if (!this.#underWay.delete(name)) return;
        this.#done++;
        this.#next();
        if (this.#underWay.size > 0) return;
        clearInterval(this.#looks);
        this.#looks = undefined;
    }

    #next(patient = false): void {
        const next = patient || this.#underWay.size < this.atOnce ? this.#waiting.shift() : undefined;
        if (next !== undefined) {
            this.#underWay.add(next.name);
            next.start();
        }
        clearTimeout(this.#trickle);
        // The timer keeps the process alive: a program that ended now would leave out Services, which deletes them.
        this.#trickle = this.#waiting.length === 0 ? undefined : setTimeout(() => this.#next(true), PATIENCE_MS);
    }

    #watch(): void {
        if (this.#looks !== undefined) return;
        this.#since = this.#lineAt = performance.now();
        this.#looks = setInterval(() => this.#look(), LOOK_MS);
        this.#looks.unref();
    }

    #look(): void {
        const now = performance.now();
        const line = describeProgress({
            all: this.#waiting.length + this.#underWay.size + this.#done,
            done: this.#done,
            elapsedMs: now - this.#since,
            usedUp: [...this.#accounts.values()].flatMap((account) => this.usedUp(account)),
        });
        if (line === undefined) return;
        const stays = now - this.#lineAt >= LINE_MS;
        if (stays) this.#lineAt = now;
        this.say(line, stays);
    }
}

const waves = perRun(
    () =>
        new Waves(
            servicesAtOnce(process.env["PULUMI_NODEJS_PARALLEL"]),
            usedUpQuotas,
            (line, stays) => void pulumi.log.info(line, undefined, undefined, !stays).catch(() => undefined),
        ),
);

/** Resolves when a Service may begin to change something. A preview changes nothing and needs no turns. */
export const startInTurn = (name: string, account: Account): Promise<void> => waves().start(name, account);

/** Notes that everything of a Service is there. */
export const noteDone = (name: string): void => waves().done(name);
