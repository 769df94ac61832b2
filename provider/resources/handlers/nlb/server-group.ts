/**
 * Attributes of an NLB server group that the alicloud plugin does not have.
 *
 * The plugin takes no drain time below ten seconds, does not notice changes to it, and has no IP version affinity.
 */
import * as nlb from "../../../nlb";
import { type Created, gone, type Observed, observed, openPlace, type Place, plain, type Updated } from "../handler";

type Options = Readonly<Record<string, string>>;

/** Inputs of a group's options. */
export interface ServerGroupOptionsInputs extends Place {
    /** Id of the NLB server group. */
    readonly serverGroupId: string;
    /** Attributes by the names of the NLB API: `ConnectionDrainTimeout`, `IpVersionAffinityMode`. */
    readonly options: Options;
}

/** Sets the difference to the observed options. */
export async function create(inputs: ServerGroupOptionsInputs): Promise<Created<ServerGroupOptionsInputs>> {
    await apply(inputs);
    return { id: inputs.serverGroupId, outs: plain(inputs) };
}

/** Sets the difference to the observed options. Those that are no longer set are the plugin's again. */
export async function update(
    _id: string,
    _olds: ServerGroupOptionsInputs,
    news: ServerGroupOptionsInputs,
): Promise<Updated<ServerGroupOptionsInputs>> {
    await apply(news);
    return { outs: plain(news) };
}

/** Reads the options. */
export async function read(id: string, props: ServerGroupOptionsInputs): Promise<Observed<ServerGroupOptionsInputs>> {
    const actual = await describe(props);
    if (actual === undefined) return {};
    const options = Object.keys(props.options).map((name) => [name, actual[name] ?? ""]);
    return observed(id, { ...props, options: Object.fromEntries(options) });
}

async function apply(inputs: ServerGroupOptionsInputs): Promise<void> {
    const { serverGroupId, options } = inputs;
    const actual = await describe(inputs);
    if (actual === undefined) throw gone(`server group ${serverGroupId}`, "it cannot be changed");
    if (Object.entries(options).some(([name, value]) => actual[name] !== value))
        await nlb.updateServerGroup(openPlace(inputs), serverGroupId, options);
}

async function describe(inputs: ServerGroupOptionsInputs): Promise<Options | undefined> {
    const [group] = await nlb.findServerGroups(openPlace(inputs), { ids: [inputs.serverGroupId] });
    return (
        group && {
            ConnectionDrainTimeout: String(group.drainTimeout ?? ""),
            IpVersionAffinityMode: group.affinity ?? "",
        }
    );
}
