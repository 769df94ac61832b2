import * as pulumi from "@pulumi/pulumi";
import type { ServiceContract } from "../../provider/resources";
import type { AnyContext } from "./context";
import { promiseOf } from "./outputs";
import { perRun } from "./run";
import { startInTurn } from "./waves";

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
 * preview so changes nothing for one Service if another is refused. The wait leaves no dependency in the state, so that single Services can still be targeted.
 */
export function afterAllChecks<Value>(
    { name, account }: Pick<AnyContext, "name" | "account">,
    value: Value,
): pulumi.Output<pulumi.Unwrap<Value>> {
    return pulumi.runtime.isDryRun()
        ? pulumi.output(value)
        : pulumi.output(
              contracts()
                  .all()
                  .then(() => startInTurn(name, account))
                  .then(() => value),
          );
}
