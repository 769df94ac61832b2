/**
 * Attributes of an NLB server group that the alicloud plugin does not have.
 *
 * The plugin takes no drain time below ten seconds, does not notice changes to it, and has no IP version affinity.
 */
import * as nlb from "../../../nlb";
import { applying, gone, managing, openPlace, type Place } from "../handler";

type Options = Readonly<Record<string, string>>;

interface ServerGroupOptionsInputs extends Place {
    readonly serverGroupId: string;
    /** Attributes by the names of the NLB API: `ConnectionDrainTimeout`, `IpVersionAffinityMode`. */
    readonly options: Options;
}

export const { create, update, read } = managing<ServerGroupOptionsInputs>({
    /** Sets the difference to the observed options. Those that are no longer set are the plugin's again. */
    ...applying(({ serverGroupId }) => serverGroupId, apply),
    read: async (props) => {
        const actual = await describe(props);
        const options = Object.keys(props.options).map((name) => [name, actual?.[name] ?? ""]);
        return actual && { options: Object.fromEntries(options) as Options };
    },
});

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
