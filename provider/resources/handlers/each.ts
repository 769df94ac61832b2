/** Several objects of a Service in a resource: a map by key, whose objects are written in parallel. */
import { isDeepStrictEqual } from "node:util";
import { errorMessage } from "../../net";
import { unlessEmpty } from "../../schema/defined";
import { type ManagedObject, type Observed, plain } from "./handler";

type ByKey<Value> = Readonly<Record<string, Value>>;

/** Inputs of a resource of several objects: those that all objects share, and those of each object by its key. */
type EachInputs<Field extends string, Shared, Item> = Shared & { readonly [Name in Field]: ByKey<Item> };

export interface Recorded<Computed> {
    /** Outputs of each object that are no inputs. */
    readonly computed?: ByKey<Computed>;
    /** Keys of the objects whose last update failed: each may have parts of it. */
    readonly unsure?: readonly string[];
}

interface EachOptions<Inputs, Computed> {
    /** Inputs that identify an object: another value is another object, which is created. */
    readonly identity: readonly (keyof Inputs)[];
    /** Names of the outputs that are no inputs. Default: none. */
    readonly computed?: readonly (keyof Computed)[];
}

/**
 * Returns the methods of a resource of several objects. A module exports `remove` as `delete`.
 *
 * An object that fails does not keep the others from being written. Nothing is called for an object that leaves the
 * map: its group or listener deletes it.
 *
 * @param field name of the map in the inputs
 */
export function managingEach<
    Field extends string,
    Shared extends object,
    Item extends object,
    Computed extends object = object,
>(
    field: Field,
    object: ManagedObject<Shared & Item, Computed>,
    { identity, computed: computedNames = [] }: EachOptions<Shared & Item, Computed>,
) {
    type Inputs = EachInputs<Field, Shared, Item>;
    type Outputs = Inputs & Recorded<Computed>;
    const write = writingEach<Field, Shared, Item, Computed>(field, object, identity);
    const { split, joined } = mapsOf<Field, Shared, Item, Computed>(field);

    return {
        create: async (inputs: Inputs): Promise<{ id: string; outs: Outputs }> => ({
            id: field,
            ...(await write(field, { [field]: {} } as unknown as Outputs, inputs)),
        }),
        update: (id: string, olds: Outputs, news: Inputs) => write(id, olds, news),
        /** Reads the objects. An object that does not exist leaves the map, and is written again by the next run. */
        read: async (id: string, props: Outputs): Promise<Observed<Inputs, Outputs>> => {
            const { items, computed, shared } = split(props);
            const observed = await Promise.all(
                Object.entries(items).map(async ([key, item]) => {
                    const found = await object.read({ ...shared, ...item, ...(computed[key] as Computed) }, id);
                    return { key, found: found && Object.entries({ ...item, ...found }) };
                }),
            );
            const present = observed.filter(({ found }) => found !== undefined);
            if (present.length === 0) return {};
            const pick = (isComputed: boolean) =>
                Object.fromEntries(
                    present.map(({ key, found = [] }) => {
                        const own = found.filter(
                            ([name]) => computedNames.includes(name as keyof Computed) === isComputed,
                        );
                        return [key, Object.fromEntries(own)];
                    }),
                );
            const read = joined(shared, pick(false) as ByKey<Item>, pick(true) as ByKey<Computed>);
            const { computed: _, ...inputs } = read;
            return { id, props: read, inputs: inputs as unknown as Inputs };
        },
        remove: async (id: string, props: Outputs): Promise<void> => {
            const { items, computed, shared } = split(props);
            await Promise.all(
                Object.entries(items).map(async ([key, item]) => {
                    await object.delete?.({ ...shared, ...item, ...(computed[key] as Computed) }, id);
                }),
            );
        },
    };
}

/** Returns how inputs and outputs are taken apart by their keys, and put together. */
function mapsOf<Field extends string, Shared extends object, Item extends object, Computed extends object>(
    field: Field,
) {
    type Outputs = EachInputs<Field, Shared, Item> & Recorded<Computed>;
    const split = ({ [field]: items, computed = {}, unsure = [], ...shared }: Outputs) =>
        ({ items, computed, unsure, shared }) as unknown as Required<Recorded<Computed>> & {
            readonly items: ByKey<Item>;
            readonly shared: Shared;
        };
    const joined = (shared: Shared, items: ByKey<Item | undefined>, computed: ByKey<Computed | undefined>): Outputs => {
        const made = Object.entries(computed).filter(([, one]) => one !== undefined && Object.keys(one).length > 0);
        const computedByKey = unlessEmpty(Object.fromEntries(made));
        return plain({ ...shared, [field]: items, computed: computedByKey }) as unknown as Outputs;
    };

    return { split, joined };
}

/** Returns how all objects of a resource are written: those that are new or differ from the recorded ones. */
function writingEach<Field extends string, Shared extends object, Item extends object, Computed extends object>(
    field: Field,
    object: ManagedObject<Shared & Item, Computed>,
    identity: readonly (keyof (Shared & Item))[],
) {
    type Inputs = EachInputs<Field, Shared, Item>;
    type Outputs = Inputs & Recorded<Computed>;
    const { split, joined } = mapsOf<Field, Shared, Item, Computed>(field);

    return async function write(id: string, recorded: Outputs, desired: Inputs): Promise<{ outs: Outputs }> {
        const [olds, news] = [split(recorded), split(desired)];
        const writeOne = async (key: string, item: Item): Promise<Computed> => {
            const is = { ...news.shared, ...item };
            const former = olds.items[key];
            const was = former && { ...olds.shared, ...former };
            if (was === undefined || identity.some((name) => was[name] !== is[name])) {
                const { id: _, ...made } = await object.create(is);
                return made as unknown as Computed;
            }
            const made = olds.computed[key] ?? ({} as Computed);
            const isUnsure = olds.unsure.includes(key);
            if (!isUnsure && isDeepStrictEqual(was, is)) return made;
            return (await object.update({ ...was, ...made, ...(isUnsure && { unsure: true }) }, is, id)) as Computed;
        };
        const written = await Promise.all(
            Object.entries(news.items).map(async ([key, item]) => {
                try {
                    return { key, item, made: await writeOne(key, item) };
                } catch (error) {
                    const reason = `${key}: ${errorMessage(error)}`;
                    return { key, item: olds.items[key], made: olds.computed[key], reason };
                }
            }),
        );
        const outs = joined(
            news.shared,
            Object.fromEntries(written.map(({ key, item }) => [key, item])),
            Object.fromEntries(written.map(({ key, made }) => [key, made])),
        );
        const failed = written.filter(({ reason }) => reason !== undefined);
        if (failed.length === 0) return { outs };
        // With these fields the engine records the failure, and updates again even if the inputs go back.
        const reasons = failed.map(({ reason }) => reason);
        const properties = { ...outs, unsure: failed.map(({ key }) => key) };
        throw Object.assign(new Error(reasons.join("\n")), { id, properties, reasons });
    };
}
