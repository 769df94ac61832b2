import { expect } from "@jest/globals";
import type { Origin, Product } from "../actions";
import { Cloud } from "../cloud";
import { applySeed, defaultSeed, type Seed } from "../console";
import { World } from "../world";

export type Body = Record<string, unknown>;
type Given = Record<string, string | number | boolean>;

/**
 * Servers of the tests: three machines and an interface with three addresses in the default VPC, and a machine
 * elsewhere.
 */
export const SERVERS: Seed = {
    vpcs: [{ id: "vpc-other", cidr: "172.16.0.0/12" }],
    vSwitches: [
        { id: "vsw-other", vpcId: "vpc-other", zoneId: "cn-hangzhou-b", cidr: "172.16.0.0/24" },
        { id: "vsw-tiny", vpcId: "vpc-lab", zoneId: "cn-hangzhou-b", cidr: "10.9.0.0/29" },
    ],
    instances: [
        { id: "i-1", privateIp: "10.1.0.101" },
        { id: "i-2", privateIp: "10.1.0.102" },
        { id: "i-3", privateIp: "10.1.0.103" },
        { id: "i-stopped", privateIp: "10.1.0.104", status: "Stopped" },
        { id: "i-other", privateIp: "172.16.0.101", vSwitchId: "vsw-other" },
    ],
    networkInterfaces: [
        { id: "eni-1", privateIps: ["10.1.1.1", "10.1.1.2", "10.1.1.3"], instanceId: "i-1" },
        { id: "eni-2", privateIps: ["10.1.1.1", "10.1.2.2"], instanceId: "i-2" },
    ],
    certificates: [
        { id: "cert-good" },
        { id: "cert-old", expiresAt: "2020-01-01T00:00:00Z" },
        { id: "ca-good", kind: "ca" },
    ],
};

/** A cloud without its network side, for tests of rules and answers. */
export class Api {
    private constructor(
        readonly cloud: Cloud,
        private readonly product: Product,
    ) {}

    /** A strict cloud with the default networks and `SERVERS`. */
    static async create(product: Product = "Slb"): Promise<Api> {
        const cloud = new Cloud(new World("cn-hangzhou"), { accessKeyId: "id", accessKeySecret: "secret" });
        await applySeed(cloud, defaultSeed("cn-hangzhou"));
        await applySeed(cloud, SERVERS);
        return new Api(cloud, product);
    }

    get world(): World {
        return this.cloud.world;
    }

    async call(action: string, params: Given, origin: Origin = "other"): Promise<{ status: number; body: Body }> {
        const answer = await this.cloud.act(
            action,
            Object.fromEntries(Object.entries(params).map(([k, v]) => [k, String(v)])),
            origin,
            this.product,
        );
        if (answer === "drop") throw new Error("dropped");
        return { status: answer.status, body: answer.body as Body };
    }

    /** The answer to a call that must succeed. */
    async ok(action: string, params: Given = {}, origin: Origin = "other"): Promise<Body> {
        const { status, body } = await this.call(action, params, origin);
        expect([`${action} ${JSON.stringify(params)}: ${JSON.stringify(body)}`, status]).toStrictEqual([
            `${action} ${JSON.stringify(params)}: ${JSON.stringify(body)}`,
            200,
        ]);
        return body;
    }

    /** The code of a call that must be refused. */
    async refused(action: string, params: Given = {}, origin: Origin = "other"): Promise<string> {
        const { status, body } = await this.call(action, params, origin);
        expect([`${action} ${JSON.stringify(params)} was accepted`, status]).not.toStrictEqual([
            `${action} ${JSON.stringify(params)} was accepted`,
            200,
        ]);
        return String(body["Code"]);
    }
}

/** `BackendServers` of a CLB call. */
export function servers(...list: readonly Record<string, unknown>[]): string {
    return JSON.stringify(list);
}
