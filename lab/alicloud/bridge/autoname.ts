import { type Autonaming, hexDigits } from "../../plugin-server/autonaming";

const suffixLength = 7;
const maxLength = 255;

/**
 * An automatic name: the resource's name, a dash and 7 hexadecimal digits that follow from the
 * seed, so that preview and update agree. Throws when the engine forbids automatic names.
 */
export function autoName(resourceName: string, seed: Uint8Array, autonaming: Autonaming | undefined): string {
    switch (autonaming?.mode) {
        case undefined:
            return `${resourceName}-${hexDigits(seed, suffixLength)}`;
        case 1:
            return autonaming.proposedName;
        case 2:
            throw new Error("automatic naming is disabled but no explicit name was provided");
        default: {
            const name = autonaming!.proposedName;
            if (name.length > maxLength)
                throw new Error(`calculated name '${name}' exceeds maximum length of ${maxLength}`);
            return name;
        }
    }
}
