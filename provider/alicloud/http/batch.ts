/** Cuts a list into pieces of at most `size`, in order; an empty list gives no piece, so that no empty call is made. */
export function batches<T>(items: readonly T[], size: number): T[][] {
    const pieces: T[][] = [];
    for (let start = 0; start < items.length; start += size) pieces.push(items.slice(start, start + size));
    return pieces;
}
