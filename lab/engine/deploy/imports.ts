import type { ResourceState } from "../state";
import type { StepBook } from "./book";
import type { Deployment } from "./deployment";
import { stateOfGoal, type Registration } from "./registration";
import { ImportStep, ReplaceStep, type Step } from "./steps";

/** Takes existing objects into management. */
export class Imports {
    constructor(
        private readonly d: Deployment,
        private readonly book: StepBook,
        private readonly continueLater: (work: () => Promise<Step[]>) => void,
    ) {}

    /** True if the program names an object that is not the one at hand. */
    wanted({ event, old }: Registration): boolean {
        const { custom, importId } = event.goal;
        return custom && importId !== "" && (!old || old.external || (old.importID || old.id) !== importId);
    }

    /**
     * Steps that read the object. What it is then stands in the place of an old state, from which the resource goes on
     * to what the program wants.
     * @param recreating the old object has already been deleted in this run
     * @param then decides what follows
     */
    steps(p: Registration, recreating: boolean, then: (p: Registration) => Promise<Step[]>): Step[] {
        const { event, urn, old, now } = p;
        this.book.creates.add(urn);
        this.book.imports.add(urn);
        const finished = (imported: ResourceState | undefined): void =>
            this.continueLater(async () => {
                if (!imported) return [];
                const goal = { ...event.goal, importId: "" };
                return then({ ...p, old: imported, now: stateOfGoal(urn, goal, [...now.aliases], imported) });
            });
        if (!old || recreating) return [new ImportStep(this.d, event, undefined, now, finished)];
        this.book.replaces.add(urn);
        return [new ImportStep(this.d, event, old, now, finished), new ReplaceStep(this.d, old, now)];
    }
}
