/** Requirements: X05. */
import { expect, test } from "@jest/globals";
import { managingEach } from "./each";

interface Thing {
    readonly place: string;
    readonly size: number;
}

/** Makes objects in a world of sizes by place. An object of size 13 is refused. */
function world(things: Record<string, number> = {}) {
    const calls: string[] = [];
    const put = (what: string) => async (place: string, size: number) => {
        calls.push(`${what} ${place}`);
        if (size === 13) throw new Error(`${place} takes no 13`);
        things[place] = size;
        return { stamp: `${place}=${size}` };
    };
    const methods = managingEach<"things", { readonly unit: string }, Thing, { readonly stamp: string }>(
        "things",
        {
            create: async ({ place, size }) => ({ id: place, ...(await put("create")(place, size)) }),
            update: ({ unsure }, { place, size }) => put(unsure ? "compare" : "update")(place, size),
            read: async ({ place }) => {
                const size = things[place];
                return size === undefined ? undefined : { size, stamp: `seen ${size}` };
            },
            delete: async ({ place }) => void calls.push(`delete ${place}`),
        },
        { identity: ["place"], computed: ["stamp"] },
    );
    return { ...methods, calls };
}

const inputs = (things: Record<string, Thing>) => ({ unit: "m", things });
const [A, B] = [
    { place: "a", size: 1 },
    { place: "b", size: 2 },
];

/** Returns what the engine records of a refused write. */
async function recorded(write: Promise<unknown>) {
    const error: unknown = await write.catch((reason: unknown) => reason);
    return error as { properties: ReturnType<typeof inputs>; reasons: string[] };
}

test("only the object that differs is written, and one that comes is created", async () => {
    const { create, update, calls } = world();
    const { outs } = await create(inputs({ a: A, b: B }));
    expect(outs).toStrictEqual({ ...inputs({ a: A, b: B }), computed: { a: { stamp: "a=1" }, b: { stamp: "b=2" } } });
    calls.length = 0;
    const next = await update("things", outs, inputs({ a: A, b: { ...B, size: 3 }, c: { place: "c", size: 4 } }));
    expect(calls).toStrictEqual(["update b", "create c"]);
    expect(next.outs.computed).toStrictEqual({ a: { stamp: "a=1" }, b: { stamp: "b=3" }, c: { stamp: "c=4" } });
});

test("an object of another identity is created, and nothing is called for one that leaves", async () => {
    const { create, update, calls } = world();
    const { outs } = await create(inputs({ a: A, b: B }));
    calls.length = 0;
    await update("things", outs, inputs({ a: { ...A, place: "a2" } }));
    expect(calls).toStrictEqual(["create a2"]);
});

test("a shared input that changes is an update of every object", async () => {
    const { create, update, calls } = world();
    const { outs } = await create(inputs({ a: A, b: B }));
    calls.length = 0;
    await update("things", outs, { ...inputs({ a: A, b: B }), unit: "km" });
    expect(calls).toStrictEqual(["update a", "update b"]);
});

test("a refused object keeps no other from being written, and the next run compares it alone", async () => {
    const { create, update, calls } = world();
    const { outs } = await create(inputs({ a: A, b: B }));
    const refused = await recorded(update("things", outs, inputs({ a: { ...A, size: 13 }, b: { ...B, size: 5 } })));
    expect(refused).toMatchObject({ reasons: ["a: a takes no 13"], properties: { things: { a: A, b: { size: 5 } } } });
    calls.length = 0;
    await update("things", refused.properties, inputs({ a: A, b: { ...B, size: 5 } }));
    expect(calls).toStrictEqual(["compare a"]);
});

test("what a refused creation has made is recorded, and the next run creates the rest", async () => {
    const { create, update, calls } = world();
    const { properties } = await recorded(create(inputs({ a: A, b: { ...B, size: 13 } })));
    expect(properties.things).toStrictEqual({ a: A });
    calls.length = 0;
    await update("things", properties, inputs({ a: A, b: B }));
    expect(calls).toStrictEqual(["create b"]);
});

test("a refresh removes a missing object from the map, and with the last object the resource", async () => {
    const { read } = world({ a: 7 });
    expect(await read("things", inputs({ a: A, b: B }))).toStrictEqual({
        id: "things",
        inputs: inputs({ a: { ...A, size: 7 } }),
        props: { ...inputs({ a: { ...A, size: 7 } }), computed: { a: { stamp: "seen 7" } } },
    });
    expect(await read("things", inputs({ b: B }))).toStrictEqual({});
});

test("a deletion deletes every object that is recorded", async () => {
    const { remove, calls } = world();
    await remove("things", inputs({ a: A, b: B }));
    expect(calls).toStrictEqual(["delete a", "delete b"]);
});
