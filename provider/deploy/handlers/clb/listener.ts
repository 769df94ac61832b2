/** Listener attributes that the alicloud plugin cannot say, set beside it: only the named ones are sent, so neither overwrites the other. */
import { describeListener, type Json, listenerSetting, setListener, startListener } from "../../../alicloud";
import type { ClbProtocol } from "../../../schema/protocols";
import { plain } from "../values";
import { type AccountReference, openPlace } from "../place";

type Attributes = Readonly<Record<string, string>>;

/** Inputs of a listener's options. */
export interface ListenerOptionsInputs {
    readonly loadBalancerId: string;
    readonly port: number;
    readonly protocol: ClbProtocol;
    /** Attributes in the names of the SLB API, for example `HealthCheckSwitch`. */
    readonly options: Attributes;
    /** Values that attributes get when they are no longer set. */
    readonly defaults: Attributes;
    /** State of the listener; one that was stopped is started. Default `running`. */
    readonly status?: "running" | "stopped";
    /** Changes when the plugin writes the listener and may overwrite an option. */
    readonly revision?: string;
    readonly region?: string;
    readonly account?: AccountReference;
}

/** Sets the attributes. Looks first: an interrupted run may have set them already, and so may whoever the listener was taken over from. Defaults alone need neither. */
export async function create(inputs: ListenerOptionsInputs): Promise<{ id: string; outs: ListenerOptionsInputs }> {
    const { options, defaults } = inputs;
    const names = Object.keys(options);
    const present = names.some((name) => options[name] !== defaults[name]) ? await actual(inputs, names) : defaults;
    await set(inputs, options, present);
    return { id: `${inputs.loadBalancerId}:${inputs.protocol}:${inputs.port}`, outs: plain(inputs) };
}

/** Sets the attributes that are asked for, puts those that no longer are back to their defaults, and starts the listener if it was found stopped. */
export async function update(
    _id: string,
    olds: ListenerOptionsInputs,
    news: ListenerOptionsInputs,
): Promise<{ outs: ListenerOptionsInputs }> {
    const dropped = Object.keys(olds.options).filter((name) => !(name in news.options));
    const desired = { ...news.options, ...defaultsOf(olds, dropped) };
    const known = { ...olds.defaults, ...olds.options };
    await set(news, desired, olds.revision === news.revision ? known : await actual(news, Object.keys(desired)));
    if (olds.status === "stopped") {
        await startListener(connect(news), news.loadBalancerId, news.protocol, news.port);
    }
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
    const found = plain({
        ...props,
        options: reported(listener, props, Object.keys(props.options)),
        status: listener["Status"] === "stopped" ? ("stopped" as const) : ("running" as const),
    });
    return { id, props: found, inputs: found };
}

/** Puts the attributes back to their defaults, if the listener is still there. One that was made anew in the meantime has them already. */
async function remove(_id: string, props: ListenerOptionsInputs): Promise<void> {
    const names = Object.keys(props.options);
    if (names.every((name) => props.options[name] === props.defaults[name])) return;
    const listener = await describe(props);
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

/** Makes no call if each attribute is there. Otherwise all that have not their default are set too: some are taken only together. */
async function set(inputs: ListenerOptionsInputs, desired: Attributes, present: Attributes): Promise<void> {
    const differs = ([name, value]: [string, string]) => present[name] !== value;
    const entries = Object.entries(desired);
    if (entries.some(differs)) {
        const sent = entries.filter((entry) => differs(entry) || entry[1] !== inputs.defaults[entry[0]]);
        const attributes = Object.fromEntries(sent);
        await setListener(connect(inputs), inputs.loadBalancerId, inputs.protocol, inputs.port, attributes);
    }
}

function connect(inputs: ListenerOptionsInputs) {
    return openPlace(inputs);
}
