/** Requests to an API server at a time. */
const AT_ONCE = 20;

/** Does something for each number below a count, several at a time. */
export async function createAll(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
    let next = 0;
    await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
            for (let index = next++; index < count; index = next++) await work(index);
        }),
    );
}
