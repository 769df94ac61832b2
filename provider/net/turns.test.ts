import { expect, test } from "@jest/globals";
import { Turns } from "./turns";

test("only as many Services change at once as there are turns; the next waits for a free one", async () => {
    const turns = new Turns(16);
    const started: number[] = [];
    for (let service = 1; service <= 18; service++) void turns.take().then(() => started.push(service));
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    await settle();
    expect(started).toHaveLength(16);
    turns.release();
    await settle();
    expect(started.slice(16)).toEqual([17]);
    turns.release();
    turns.release();
    await settle();
    expect(started.slice(16)).toEqual([17, 18]);
    await turns.take();
});
