import { expect, test } from "@jest/globals";
import { Slots, URGENCY } from "./queue";

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("empty groups come first, then those with dead backends, then the others in their order", async () => {
    const slots = new Slots(1);
    const order: string[] = [];
    let open: () => void = () => undefined;
    const first = slots.run(URGENCY.usual, () => new Promise<void>((resolve) => (open = resolve)));
    await tick();
    const others = (["usual", "dead", "usual", "empty"] as const).map((urgency, index) =>
        slots.run(URGENCY[urgency], () => Promise.resolve(order.push(`${urgency} ${index}`))),
    );
    await tick();
    open();
    await Promise.all([first, ...others]);
    expect(order).toStrictEqual(["empty 3", "dead 1", "usual 0", "usual 2"]);
});

test("a wait for what goes on elsewhere lets another one in, and comes back by its urgency", async () => {
    const slots = new Slots(1);
    const order: string[] = [];
    let end: () => void = () => undefined;
    const first = slots.run(URGENCY.usual, async (pause) => {
        order.push("first");
        await pause(() => new Promise<void>((resolve) => (end = resolve)));
        order.push("first again");
    });
    const second = slots.run(URGENCY.usual, () => {
        order.push("second");
        end();
        return new Promise<void>((resolve) => setImmediate(resolve));
    });
    await Promise.all([first, second]);
    expect(order).toStrictEqual(["first", "second", "first again"]);
    await expect(
        slots.run(URGENCY.usual, (pause) => pause(() => Promise.reject(new Error("job failed")))),
    ).rejects.toThrow("job failed");
    await expect(slots.run(URGENCY.usual, () => Promise.resolve(1))).resolves.toBe(1);
});

test("a failure frees its slot", async () => {
    const slots = new Slots(1);
    await expect(slots.run(URGENCY.usual, () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
    await expect(slots.run(URGENCY.usual, () => Promise.resolve(1))).resolves.toBe(1);
});
