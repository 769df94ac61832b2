/** Listener attributes that the alicloud plugin does not have. Each sends only its own attributes. */
import type { Json } from "../../../cloud";
import { describeListener, listenerSetting, setListener, startListener } from "../../../clb/listener";
import type { ClbProtocol } from "../../../schema/protocols";
import { managing, openPlace, type Place } from "../handler";

type Attributes = Readonly<Record<string, string>>;

interface ListenerOptionsInputs extends Place {
    readonly loadBalancerId: string;
    readonly port: number;
    readonly protocol: ClbProtocol;
    /** Attributes by the names of the SLB API, for example `HealthCheckSwitch`. */
    readonly options: Attributes;
    /** Values of attributes that are no longer set. */
    readonly defaults: Attributes;
    /** State of the listener; a stopped one is started. Default `running`. */
    readonly status?: "running" | "stopped";
    /** Changes when the plugin writes the listener and may overwrite an option. */
    readonly revision?: string;
}

const { create, update, read, remove } = managing<ListenerOptionsInputs>({
    /** Sets the attributes. Reads them first, unless all are defaults: an earlier run or owner may have set them. */
    create: async (inputs) => {
        const { loadBalancerId, protocol, port, options, defaults } = inputs;
        const names = Object.keys(options);
        const present = names.some((name) => options[name] !== defaults[name]) ? await actual(inputs, names) : defaults;
        await set(inputs, options, present);
        return { id: `${loadBalancerId}:${protocol}:${port}` };
    },
    /** Sets the attributes, resets those that are no longer set, and starts a listener that was observed stopped. */
    update: async (olds, news) => {
        const dropped = Object.keys(olds.options).filter((name) => !(name in news.options));
        const desired = { ...news.options, ...defaultsOf(olds, dropped) };
        const known = { ...olds.defaults, ...olds.options };
        await set(news, desired, olds.revision === news.revision ? known : await actual(news, Object.keys(desired)));
        if (olds.status === "stopped") await startListener(openPlace(news), news);
    },
    read: async (props) => {
        const listener = await describe(props);
        return (
            listener && {
                options: reported(listener, props, Object.keys(props.options)),
                status: listener["Status"] === "stopped" ? "stopped" : "running",
            }
        );
    },
    delete: async (props) => {
        const names = Object.keys(props.options);
        if (names.every((name) => props.options[name] === props.defaults[name])) return;
        const listener = await describe(props);
        if (listener !== undefined) await set(props, defaultsOf(props, names), reported(listener, props, names));
    },
});
export { create, update, read, remove as delete };

const describe = (inputs: ListenerOptionsInputs): Promise<Json | undefined> =>
    describeListener(openPlace(inputs), inputs);

async function actual(inputs: ListenerOptionsInputs, names: readonly string[]): Promise<Attributes> {
    const listener = await describe(inputs);
    return listener === undefined ? {} : reported(listener, inputs, names);
}

/** An attribute that the cloud omits, or reports empty, has its default. */
function reported(listener: Json, inputs: ListenerOptionsInputs, names: readonly string[]): Attributes {
    return Object.fromEntries(
        names.map((name) => [name, listenerSetting(listener, name) || (inputs.defaults[name] ?? "")]),
    );
}

function defaultsOf({ defaults }: ListenerOptionsInputs, names: readonly string[]): Attributes {
    return Object.fromEntries(names.flatMap((name) => (defaults[name] === undefined ? [] : [[name, defaults[name]]])));
}

/** Makes no call without a difference. Otherwise also sends what is not default: the API takes some only together. */
async function set(inputs: ListenerOptionsInputs, desired: Attributes, present: Attributes): Promise<void> {
    const differs = ([name, value]: [string, string]) => present[name] !== value;
    const entries = Object.entries(desired);
    if (!entries.some(differs)) return;
    const sent = entries.filter((entry) => differs(entry) || entry[1] !== inputs.defaults[entry[0]]);
    await setListener(openPlace(inputs), inputs, Object.fromEntries(sent));
}
