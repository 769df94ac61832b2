import { createHash, randomBytes } from "node:crypto";
import type { CheckRequest } from "@pulumi/pulumi/proto/provider_pb";

/** The engine's request about names that a plugin makes up. */
export interface Autonaming {
    readonly proposedName: string;
    /** 0 proposes, 1 enforces, 2 forbids. */
    readonly mode: number;
}

export function autonamingOf(request: CheckRequest): Autonaming | undefined {
    const naming = request.getAutonaming();
    return naming && { proposedName: naming.getProposedName(), mode: naming.getMode() };
}

/**
 * Draws digits as the engine's libraries do, with the generator "chacha8rand" keyed with the hash of the seed. Its
 * output is that of four ChaCha8 blocks at a time, word by word. Each digit takes 64 bits of it, of which the lowest
 * four count. Without a seed they are random. At most 32 digits.
 */
export function hexDigits(seed: Uint8Array, count: number): string {
    const key = seed.length === 0 ? randomBytes(32) : createHash("sha256").update(seed).digest();
    const blocks = [chacha8Block(key, 0), chacha8Block(key, 2)];
    return Array.from({ length: count }, (_, i) => (blocks[i % 2]![Math.floor(i / 2)]! & 15).toString(16)).join("");
}

/**
 * Runs eight rounds of ChaCha over the constants, the key and a counter. At the end it adds the key and nothing else.
 */
function chacha8Block(key: Buffer, counter: number): Uint32Array {
    const s = new Uint32Array(16);
    s.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
    for (let i = 0; i < 8; i++) s[4 + i] = key.readUInt32LE(4 * i);
    s[12] = counter;
    const start = Uint32Array.from(s);
    const rotate = (x: number, n: number): number => (x << n) | (x >>> (32 - n));
    const quarter = (a: number, b: number, c: number, d: number): void => {
        s[a]! += s[b]!;
        s[d] = rotate(s[d]! ^ s[a]!, 16);
        s[c]! += s[d];
        s[b] = rotate(s[b]! ^ s[c]!, 12);
        s[a]! += s[b];
        s[d] = rotate(s[d] ^ s[a]!, 8);
        s[c]! += s[d];
        s[b] = rotate(s[b] ^ s[c]!, 7);
    };
    for (let round = 0; round < 8; round += 2) {
        quarter(0, 4, 8, 12);
        quarter(1, 5, 9, 13);
        quarter(2, 6, 10, 14);
        quarter(3, 7, 11, 15);
        quarter(0, 5, 10, 15);
        quarter(1, 6, 11, 12);
        quarter(2, 7, 8, 13);
        quarter(3, 4, 9, 14);
    }
    for (let i = 4; i < 12; i++) s[i]! += start[i]!;
    return s;
}
