/**
 * Attributes of a Service's listeners that the alicloud plugin does not have, as one resource. Each listener gets its
 * own attributes only.
 */
import type { Json } from "../../../cloud";
import { describeListener, listenerSetting, setListener, startListener } from "../../../clb/listener";
import { defaultsOf, OPTION_DEFAULTS } from "../../../clb/listener-options";
import type { ClbProtocol } from "../../../schema/protocols";
import { managingEach } from "../each";
import { openPlace, type Place } from "../handler";

type Attributes = Readonly<Record<string, string>>;

export interface ListenerInputs {
    readonly port: number;
    readonly protocol: ClbProtocol;
    /** Attributes by the names of the SLB API, for example `HealthCheckSwitch`. */
    readonly options: Attributes;
    /** State of the listener. A stopped listener is started. */
    readonly status: "running" | "stopped";
    /** Changes when the plugin writes the listener and may overwrite an option. */
    readonly revision?: string;
}

interface SharedInputs extends Place {
    readonly loadBalancerId: string;
}

type ListenerOptionsInputs = SharedInputs & ListenerInputs;

export const { create, update, read } = managingEach<"listeners", SharedInputs, ListenerInputs>(
    "listeners",
    {
        /**
         * Sets the attributes, and resets all others. Reads them first: a replaced listener causes this for its
         * neighbours, too, which have what an earlier run or owner set. Starts a listener that a run which failed has
         * left stopped: after a refresh the plugin does not complete its creation.
         */
        create: async (inputs) => {
            const { loadBalancerId, protocol, port } = inputs;
            const desired = desiredOf(inputs);
            const listener = await describe(inputs);
            await set(inputs, desired, reported(listener, Object.keys(desired)));
            if (listener?.["Status"] === "stopped") await startListener(openPlace(inputs), inputs);
            return { id: `${loadBalancerId}:${protocol}:${port}` };
        },
        /** Sets the attributes, resets those no longer set, and starts a listener that was observed stopped. */
        update: async (olds, news) => {
            const desired = desiredOf(news);
            const isCurrent = !olds.unsure && olds.revision === news.revision;
            const known = isCurrent
                ? { ...OPTION_DEFAULTS, ...olds.options }
                : reported(await describe(news), Object.keys(desired));
            await set(news, desired, known);
            if (olds.status === "stopped") await startListener(openPlace(news), news);
        },
        read: async (props) => {
            const listener = await describe(props);
            return (
                listener && {
                    options: reported(listener, Object.keys(props.options)),
                    status: listener["Status"] === "stopped" ? "stopped" : "running",
                }
            );
        },
    },
    { identity: ["loadBalancerId", "port", "protocol"] },
);

const desiredOf = ({ protocol, options }: ListenerInputs): Attributes => ({ ...defaultsOf(protocol), ...options });

const describe = (inputs: ListenerOptionsInputs): Promise<Json | undefined> =>
    describeListener(openPlace(inputs), inputs);

/** Returns attributes of a listener, if it exists. What the cloud omits, or reports empty, has its default. */
function reported(listener: Json | undefined, names: readonly string[]): Attributes {
    if (listener === undefined) return {};
    return Object.fromEntries(
        names.map((name) => [name, listenerSetting(listener, name) || (OPTION_DEFAULTS[name] ?? "")]),
    );
}

/** Makes no call without a difference. Otherwise also sends what is not default: the API takes some only together. */
async function set(inputs: ListenerOptionsInputs, desired: Attributes, present: Attributes): Promise<void> {
    const differs = ([name, value]: [string, string]) => present[name] !== value;
    const entries = Object.entries(desired);
    if (!entries.some(differs)) return;
    const sent = entries.filter((entry) => differs(entry) || entry[1] !== OPTION_DEFAULTS[entry[0]]);
    await setListener(openPlace(inputs), inputs, Object.fromEntries(sent));
}
