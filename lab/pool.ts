import * as fs from "node:fs";
import * as path from "node:path";
import { type Inventory, kubectlCache, restoreInventory, takeInventory } from "./cluster";
import { Resident } from "./resident";
import { describeLab, type Lab, type LabPlace, startLab } from "./lab";

/** Lab that is used repeatedly, by one user at a time. */
export interface PooledLab {
    readonly place: LabPlace;
    /** Its resident CLI, which stays loaded between uses, too. */
    cli(): Resident;
}

/**
 * Pool of labs. The objects of a use are removed before the next use. All labs end with this process, or by `stopLab`
 * for each folder.
 */
export class LabPool {
    readonly #idle: Reusable[] = [];

    /** @param dir folder for the labs' own folders. */
    constructor(private readonly dir: string) {}

    /**
     * A lab as it is when it has just started: no node, an empty cloud.
     *
     * @param clusterId ACK id that its cluster says of itself
     */
    async take(clusterId: string): Promise<PooledLab> {
        const known = this.#idle.pop();
        if (known === undefined) return Reusable.start(this.dir, clusterId);
        try {
            await known.renew(clusterId);
            return known;
        } catch (error) {
            process.stderr.write(`a lab cannot be used again, and is replaced: ${String(error)}\n`);
            await known.stop();
            return this.take(clusterId);
        }
    }

    /** Takes a lab back. */
    give(lab: PooledLab): void {
        if (lab instanceof Reusable) this.#idle.push(lab);
    }
}

class Reusable implements PooledLab {
    #cli: Resident | undefined;

    private constructor(
        private readonly lab: Lab,
        /** Content of cluster and folder at the start. */
        private readonly start: { readonly inventory: Inventory; readonly files: readonly string[] },
    ) {}

    static async start(parent: string, clusterId: string): Promise<Reusable> {
        const dir = fs.mkdtempSync(path.join(parent, "lab-"));
        const lab = await startLab({ dir, clusterId });
        const inventory = new Map(await takeInventory(lab.cluster));
        // Each use has its own.
        for (const object of inventory.keys()) if (object.endsWith("/ack-cluster-profile")) inventory.delete(object);
        return new Reusable(lab, { inventory, files: fs.readdirSync(dir) });
    }

    get place(): LabPlace {
        return this.lab;
    }

    cli(): Resident {
        return (this.#cli ??= new Resident(this.lab.env));
    }

    async renew(clusterId: string): Promise<void> {
        const { dir, cluster, cloudUrl } = this.lab;
        await restoreInventory(cluster, this.start.inventory);
        const renewed = await fetch(`${cloudUrl}/_renew`, { method: "POST" });
        if (!renewed.ok) throw new Error(`the cloud could not be renewed: ${renewed.status} ${await renewed.text()}`);
        await describeLab(this.lab, clusterId);
        fs.rmSync(kubectlCache(cluster.kubeconfig), { recursive: true, force: true });
        for (const file of fs.readdirSync(dir))
            if (!this.start.files.includes(file)) fs.rmSync(path.join(dir, file), { recursive: true });
        const state = path.join(dir, "state");
        fs.rmSync(state, { recursive: true });
        fs.mkdirSync(state);
        if (!(await this.#isWell())) {
            await this.#cli?.stop();
            this.#cli = undefined;
        }
    }

    /** Reports whether no program of the last use still runs or has failed in its CLI. */
    async #isWell(): Promise<boolean> {
        if (this.#cli === undefined) return true;
        if (this.#cli.isBusy) return false;
        const run = this.#cli.run({ args: ["version"], cwd: this.lab.dir }, () => undefined);
        return (await run.catch(() => 1)) === 0;
    }

    async stop(): Promise<void> {
        await this.#cli?.stop();
        await this.lab.stop();
    }
}
