import { isNotFound, placed } from "../sdk/errors";
import type { Answer } from "../sdk/tea";
import type { ResourceData } from "../terraform/data";

/** Reads an object's description. A missing object clears the id, unless it was made just now. */
export async function readable(
    data: ResourceData,
    place: string,
    describe: () => Promise<Answer>,
): Promise<Answer | undefined> {
    try {
        return await describe();
    } catch (error) {
        if (data.isNewResource || !isNotFound(error)) throw placed(error, place);
        data.id = "";
        return undefined;
    }
}
