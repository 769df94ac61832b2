import { afterEach } from "@jest/globals";

const pending: (() => unknown)[] = [];

/** Undoes something once the running test is over, whether it passed or not. The last set-up is undone first. */
export function onTestFinished(undo: () => unknown): void {
    pending.push(undo);
}

afterEach(async () => {
    const errors: unknown[] = [];
    for (let undo = pending.pop(); undo !== undefined; undo = pending.pop()) {
        try {
            await undo();
        } catch (error) {
            errors.push(error);
        }
    }
    if (errors.length > 0) throw new AggregateError(errors, "cleaning up after a test failed");
});
