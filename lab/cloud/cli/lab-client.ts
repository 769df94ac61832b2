/** The plain-HTTP side of a simulated cloud, for people and scripts. */
export class LabClient {
    constructor(private readonly url: string) {}

    async get<T>(path: string): Promise<T> {
        return this.send<T>("GET", path);
    }

    async send<T>(method: string, path: string, body?: unknown): Promise<T> {
        const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
        const response = await fetch(this.url + path, init).catch(() => {
            throw new Error(`no lab cloud answers at ${this.url}; is the lab running?`);
        });
        const answer = (await response.json()) as T & { error?: string };
        if (!response.ok) throw new Error(answer.error ?? `${path}: HTTP ${response.status}`);
        return answer;
    }

    /**
     * Makes an API call as a console user or as another tool. Throws with the cloud's code and message if it is
     * refused.
     */
    async act(
        action: string,
        params: Readonly<Record<string, unknown>>,
        as: "console" | "other",
    ): Promise<Record<string, unknown>> {
        const [name = "", product] = action.split(".").reverse();
        const call = { action: name, params, as, ...(product === undefined ? {} : { product }) };
        const { status, body } = await this.send<{ status: number; body: Record<string, unknown> }>(
            "POST",
            "/_console",
            call,
        );
        if (status !== 200) throw new Error(`${String(body["Code"])}: ${String(body["Message"])}`);
        return body;
    }
}
