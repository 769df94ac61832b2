import { RateLimiter } from "../../provider/cloud/http/limiter";
import { type CloudOptions, createCloud } from "../../provider/cloud/http/client";
import type { Cloud } from "../../provider/cloud/http/cloud";
import type { Clock, HttpRequest, HttpResponse } from "../../provider/net";

/** Call that a test's cloud received. */
export interface Asked {
    readonly action: string;
    readonly params: Readonly<Record<string, string>>;
    readonly headers: Readonly<Record<string, string>>;
    readonly at: number;
}

/** Scripted response: a body with status 200, or a status with a body, headers or no JSON, or an error. */
export type Answer =
    | Error
    | {
          readonly status?: number;
          readonly body?: unknown;
          readonly text?: string;
          readonly headers?: Record<string, string>;
      };

/** Time that passes only when everybody waits. Sleepers wake in the order of their times. */
export class VirtualClock implements Clock {
    readonly slept: number[] = [];
    #now = 0;
    #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

    constructor(readonly chance: () => number = () => 1) {}

    now(): number {
        return this.#now;
    }
    random(): number {
        return this.chance();
    }
    sleep(ms: number, signal?: AbortSignal): Promise<void> {
        this.slept.push(ms);
        return new Promise((resolve, reject) => {
            if (signal?.aborted) return reject(signal.reason);
            signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
            this.#sleepers.push({ at: this.#now + ms, wake: resolve });
            this.#sleepers.sort((a, b) => a.at - b.at);
        });
    }

    /** Lets time pass until the work is done. */
    async run<T>(work: Promise<T>): Promise<T> {
        let done = false;
        const settle = (): void => void (done = true);
        work.then(settle, settle);
        while (!done) {
            await new Promise((resolve) => setImmediate(resolve));
            if (done) break;
            const next = this.#sleepers.shift();
            if (!next) continue;
            this.#now = Math.max(this.#now, next.at);
            next.wake();
        }
        return work;
    }
}

/** A client whose exchanges a test answers, on virtual time. */
export function scriptedCloud(
    answer: (asked: Asked, count: number) => Answer | Promise<Answer>,
    options: Partial<CloudOptions> & { readonly clock?: VirtualClock } = {},
): { cloud: Cloud; asked: Asked[]; clock: VirtualClock } {
    const asked: Asked[] = [];
    const clock = options.clock ?? new VirtualClock();
    const transport = async (request: HttpRequest): Promise<HttpResponse> => {
        const one: Asked = {
            action: request.headers["x-acs-action"] ?? "",
            params: Object.fromEntries(new URLSearchParams(request.body ?? "")),
            headers: request.headers,
            at: clock.now(),
        };
        asked.push(one);
        const given = await answer(one, asked.length);
        if (given instanceof Error) throw given;
        return {
            status: given.status ?? 200,
            headers: given.headers ?? {},
            body: given.text ?? JSON.stringify(given.body ?? { RequestId: "r" }),
        };
    };
    const cloud = createCloud({
        region: "cn-hangzhou",
        keys: {
            accessKeyId: "LTAItestkeyid00001",
            accessKeySecret: "very-secret-value",
            securityToken: "very-secret-token",
        },
        env: {},
        limiter: new RateLimiter(),
        transport,
        ...options,
        clock,
    });
    return { cloud, asked, clock };
}

/** An error answer of the cloud. */
export function refusal(code: string, message = code, status = 400): Answer {
    return { status, body: { Code: code, Message: message, RequestId: "R-1" } };
}
