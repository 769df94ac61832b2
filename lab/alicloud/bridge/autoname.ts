import { createHash } from "node:crypto";

/** The engine's wishes for automatic names. Mode 0 proposes, 1 enforces, 2 forbids. */
export interface Autonaming {
    readonly proposedName: string;
    readonly mode: number;
}

const suffixLength = 7;
const maxLength = 255;

/**
 * An automatic name: the resource's name, a dash and 7 hexadecimal digits that follow from the
 * seed, so that preview and update agree. Throws when the engine forbids automatic names.
 */
export function autoName(resourceName: string, seed: Uint8Array, autonaming: Autonaming | undefined): string {
    switch (autonaming?.mode) {
        case undefined: return `${resourceName}-${hexDigits(seed, suffixLength)}`;
        case 1: return autonaming!.proposedName;
        case 2: throw new Error("automatic naming is disabled but no explicit name was provided");
        default: {
            const name = autonaming!.proposedName;
            if (name.length > maxLength) throw new Error(`calculated name '${name}' exceeds maximum length of ${maxLength}`);
            return name;
        }
    }
}

/**
 * Digits drawn as the engine's libraries draw them: ChaCha with 12 rounds, keyed with the hash of
 * the seed; the first 32 bytes of the stream are set aside for the next key.
 */
export function hexDigits(seed: Uint8Array, count: number): string {
    const key = createHash("sha256").update(seed).digest();
    const stream = keyStream(key, 32 + 8 * count);
    let digits = "";
    for (let i = 0; i < count; i++) digits += (stream[32 + 8 * i]! & 15).toString(16);
    return digits;
}

function keyStream(key: Buffer, length: number): Buffer {
    const blocks: Buffer[] = [];
    for (let counter = 0; counter * 64 < length; counter++) blocks.push(chachaBlock(key, counter, 12));
    return Buffer.concat(blocks);
}

function chachaBlock(key: Buffer, counter: number, rounds: number): Buffer {
    const start = new Uint32Array(16);
    start.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
    for (let i = 0; i < 8; i++) start[4 + i] = key.readUInt32LE(4 * i);
    start[12] = counter;
    const s = Uint32Array.from(start);
    const rotate = (x: number, n: number): number => (x << n) | (x >>> (32 - n));
    const quarter = (a: number, b: number, c: number, d: number): void => {
        s[a]! += s[b]!; s[d] = rotate(s[d]! ^ s[a]!, 16);
        s[c]! += s[d]!; s[b] = rotate(s[b]! ^ s[c]!, 12);
        s[a]! += s[b]!; s[d] = rotate(s[d]! ^ s[a]!, 8);
        s[c]! += s[d]!; s[b] = rotate(s[b]! ^ s[c]!, 7);
    };
    for (let i = 0; i < rounds; i += 2) {
        quarter(0, 4, 8, 12); quarter(1, 5, 9, 13); quarter(2, 6, 10, 14); quarter(3, 7, 11, 15);
        quarter(0, 5, 10, 15); quarter(1, 6, 11, 12); quarter(2, 7, 8, 13); quarter(3, 4, 9, 14);
    }
    const block = Buffer.alloc(64);
    for (let i = 0; i < 16; i++) block.writeUInt32LE((s[i]! + start[i]!) >>> 0, 4 * i);
    return block;
}
