/** Runs `work` over the items, at most `limit` at a time, and gives the results in the items' order. The first failure wins; no further item is started after it. */
export async function mapLimited<T, R>(
    items: readonly T[],
    limit: number,
    work: (item: T) => Promise<R>,
): Promise<R[]> {
    const results = new Array<R>(items.length);
    const queue = items.entries();
    let failed = false;
    const worker = async (): Promise<void> => {
        for (const [index, item] of queue) {
            if (failed) return;
            try {
                results[index] = await work(item);
            } catch (error) {
                failed = true;
                throw error;
            }
        }
    };
    await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
    return results;
}
