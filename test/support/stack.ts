import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { parse, stringify } from "yaml";
import { REPOSITORY, type Result, type RunOptions, SECRETS_PROVIDER, type Session } from "../../lab";
import { stateOf } from "./cloud-state";
import { type ServiceSpec, serviceYaml } from "./yaml";

/** A stack's file of settings. */
interface Settings {
    readonly config?: Readonly<Record<string, unknown>>;
}

/** Flags of every run: not interactive, no colours. */
export const PLAIN = ["--non-interactive", "--color", "never"];

/** A stack of the root project, with a separate folder of manifests. */
export class Stack {
    readonly manifests: string;
    #isRemoved = false;

    private constructor(
        readonly session: Session,
        readonly name: string,
    ) {
        this.manifests = path.join(session.lab.dir, `manifests-${name}`);
        fs.mkdirSync(this.manifests, { recursive: true });
    }

    static async create(session: Session, name: string, services: readonly ServiceSpec[]): Promise<Stack> {
        const stack = new Stack(session, `${name}-${process.pid}`);
        stack.write(services);
        stack.succeed(await stack.command("stack", "init", stack.name, "--secrets-provider", SECRETS_PROVIDER));
        await stack.config("manifests", stack.manifests);
        return stack;
    }

    /** Replaces the folder's manifests. */
    write(services: readonly ServiceSpec[]): void {
        this.writeText(services.map(serviceYaml).join("---\n"));
    }

    /** Replaces the folder's manifests by a text. */
    writeText(text: string): void {
        fs.writeFileSync(path.join(this.manifests, "services.yaml"), text);
    }

    /** Sets a value of the stack's configuration as the CLI does. */
    async config(key: string, value: string): Promise<void> {
        const { config = {}, ...rest } = parse(await fs.promises.readFile(this.#settings, "utf8")) as Settings;
        const changed: Settings = { ...rest, config: { ...config, [`ack-loadbalancer:${key}`]: value } };
        await fs.promises.writeFile(this.#settings, stringify(changed));
    }

    get #settings(): string {
        return path.join(REPOSITORY, `Pulumi.${this.name}.yaml`);
    }

    preview(...flags: string[]): Promise<Result> {
        return this.run("preview", flags);
    }

    up(...flags: string[]): Promise<Result> {
        return this.run("up", ["--yes", "--skip-preview", ...flags]);
    }

    destroy(...flags: string[]): Promise<Result> {
        return this.run("destroy", ["--yes", "--skip-preview", ...flags]);
    }

    /** An operation on the stack. */
    run(operation: string, flags: readonly string[], options: RunOptions = {}): Promise<Result> {
        return this.session.run("pulumi", [operation, "--stack", this.name, ...flags, ...PLAIN], options);
    }

    /** Command line of an operation, for those that are to be interrupted. */
    commandLine(operation: string, ...flags: string[]): string[] {
        return [operation, "--stack", this.name, ...flags, ...PLAIN];
    }

    /** Destroys and removes the stack. */
    async remove(): Promise<void> {
        this.succeed(await this.destroy("--remove"));
        this.#isRemoved = true;
        fs.rmSync(this.#settings, { force: true });
    }

    /** Restores the lab to its state before the stack, whatever happened, for the next test. */
    async clear(): Promise<void> {
        if (!this.#isRemoved) {
            if ((await this.destroy("--remove")).code !== 0) {
                // A killed run has left its lock.
                await this.command("cancel", "--yes", "--stack", this.name);
                const { code } = await this.destroy("--remove");
                if (code !== 0) await this.command("stack", "rm", "--yes", "--force", this.name);
            }
            fs.rmSync(this.#settings, { force: true });
        }
        const services = "/api/v1/namespaces/default/services?labelSelector=component!%3Dapiserver";
        if ((await this.session.lab.cluster.get<{ items: unknown[] }>(services)).items.length > 0)
            await this.session.run("kubectl", [
                ...["delete", "services", "--all", "--selector", "component!=apiserver", "--namespace", "default"],
            ]);
        await this.session.cloud("/_faults", undefined, "DELETE");
        for (const { id } of (await stateOf(this.session)).slb.loadBalancers) {
            await this.session.cloud("/_console", {
                action: "SetLoadBalancerDeleteProtection",
                params: { LoadBalancerId: id, DeleteProtection: "off" },
                as: "other",
            });
            await this.session.cloud("/_console", {
                action: "DeleteLoadBalancer",
                params: { LoadBalancerId: id },
                as: "other",
            });
        }
        const { nlb } = await stateOf(this.session);
        const network = (action: string, params: object) =>
            this.session.cloud("/_console", { product: "Nlb", action, params, as: "api" });
        for (const { id } of nlb.loadBalancers) {
            await network("UpdateLoadBalancerProtection", { LoadBalancerId: id, DeletionProtectionEnabled: "false" });
            await network("DeleteLoadBalancer", { LoadBalancerId: id });
        }
        for (const { id } of nlb.serverGroups) {
            await network("DeleteServerGroup", { ServerGroupId: id });
        }
    }

    readonly succeed = succeed;
    readonly fail = fail;

    command(...args: string[]): Promise<Result> {
        return this.session.run("pulumi", [...args, "--non-interactive"]);
    }
}

/** Returns the output of an operation. If the operation failed, the test fails with that output. */
export function succeed(result: Result): string {
    assert.equal(result.code, 0, result.text);
    return result.text;
}

/** Returns the output of an operation that has to fail. */
export function fail(result: Result): string {
    assert.notEqual(result.code, 0, result.text);
    return result.text;
}
