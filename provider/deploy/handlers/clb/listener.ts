/** Listener attributes that the alicloud plugin cannot say, set beside it: only the named ones are sent, so neither overwrites the other. */
import { describeListener, type Json, listenerSetting, setListener } from "../../../alicloud";
import type { ClbProtocol } from "../../../schema/protocols";
import { plain } from "../values";
import { type AccountReference, openPlace } from "../place";

type Attributes = Readonly<Record<string, string>>;

/** Inputs of a listener's options. */
export interface ListenerOptionsInputs {
    readonly loadBalancerId: string;
    readonly port: number;
    readonly protocol: ClbProtocol;
    readonly options: Attributes;
    readonly defaults: Attributes;
    /** Changes when the plugin writes the listener and may overwrite an option. */
    readonly revision?: string;
    readonly region?: string;
    readonly account?: AccountReference;
}

/** Sets the attributes. Looks first: an interrupted run may have set them already, and so may whoever the listener was taken over from. */
export async function create(inputs: ListenerOptionsInputs): Promise<{ id: string; outs: ListenerOptionsInputs }> {
    await set(inputs, inputs.options, await actual(inputs, Object.keys(inputs.options)));
    return { id: `${inputs.loadBalancerId}:${inputs.protocol}:${inputs.port}`, outs: plain(inputs) };
}

/** Sets the attributes that are asked for, and puts those that no longer are back to their defaults. */
export async function update(
    _id: string,
    olds: ListenerOptionsInputs,
    news: ListenerOptionsInputs,
): Promise<{ outs: ListenerOptionsInputs }> {
    const dropped = Object.keys(olds.options).filter((name) => !(name in news.options));
    const desired = { ...news.options, ...defaultsOf(olds, dropped) };
    await set(news, desired, olds.revision === news.revision ? olds.options : await actual(news, Object.keys(desired)));
    return { outs: plain(news) };
}

/** The attributes as they are; gone with their listener. */
export async function read(
    id: string,
    props: ListenerOptionsInputs,
): Promise<{ id?: string; props?: ListenerOptionsInputs; inputs?: ListenerOptionsInputs }> {
    const listener = await describe(props);
    if (listener === undefined) {
        return {};
    }
    const found = plain({ ...props, options: reported(listener, props, Object.keys(props.options)) });
    return { id, props: found, inputs: found };
}

/** Puts the attributes back to their defaults, if the listener is still there. One that was made anew in the meantime has them already. */
async function remove(_id: string, props: ListenerOptionsInputs): Promise<void> {
    const listener = await describe(props);
    const names = Object.keys(props.options);
    if (listener !== undefined) {
        await set(props, defaultsOf(props, names), reported(listener, props, names));
    }
}
export { remove as delete };

function describe(inputs: ListenerOptionsInputs): Promise<Json | undefined> {
    return describeListener(connect(inputs), inputs.loadBalancerId, inputs.protocol, inputs.port);
}

async function actual(inputs: ListenerOptionsInputs, names: readonly string[]): Promise<Attributes> {
    const listener = await describe(inputs);
    return listener === undefined ? {} : reported(listener, inputs, names);
}

/** An attribute that the cloud leaves out, or reports empty, has its default. */
function reported(listener: Json, inputs: ListenerOptionsInputs, names: readonly string[]): Attributes {
    return Object.fromEntries(
        names.map((name) => [name, listenerSetting(listener, name) || (inputs.defaults[name] ?? "")]),
    );
}

function defaultsOf(inputs: ListenerOptionsInputs, names: readonly string[]): Attributes {
    return Object.fromEntries(
        names.flatMap((name) => (inputs.defaults[name] === undefined ? [] : [[name, inputs.defaults[name]]])),
    );
}

/** Sets all of the attributes, some of which are taken only together, or makes no call if each is there. */
async function set(inputs: ListenerOptionsInputs, desired: Attributes, present: Attributes): Promise<void> {
    if (Object.entries(desired).some(([name, value]) => present[name] !== value)) {
        await setListener(connect(inputs), inputs.loadBalancerId, inputs.protocol, inputs.port, desired);
    }
}

function connect(inputs: ListenerOptionsInputs) {
    return openPlace(inputs);
}
