import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY, type Result, type RunOptions, type Session } from "../../lab";
import { stateOf } from "./cloud-state";
import { type ServiceSpec, serviceYaml } from "./yaml";

/** Flags of every run: not interactive, no colours. */
export const PLAIN = ["--non-interactive", "--color", "never"];

/** A stack of the root project, with a separate folder of manifests. */
export class Stack {
    readonly manifests: string;

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
        stack.succeed(await stack.command("stack", "init", stack.name));
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

    async config(key: string, value: string): Promise<void> {
        this.succeed(await this.command("config", "set", key, value, "--stack", this.name));
    }

    preview(...flags: string[]): Promise<Result> {
        return this.run("preview", flags);
    }

    up(...flags: string[]): Promise<Result> {
        return this.run("up", ["--yes", "--skip-preview", ...flags]);
    }

    destroy(): Promise<Result> {
        return this.run("destroy", ["--yes", "--skip-preview"]);
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
        this.succeed(await this.destroy());
        this.succeed(await this.command("stack", "rm", "--yes", this.name));
        fs.rmSync(path.join(REPOSITORY, `Pulumi.${this.name}.yaml`), { force: true });
    }

    /** Restores the lab to its state before the stack, whatever happened, for the next test. */
    async clear(): Promise<void> {
        await this.command("cancel", "--yes", "--stack", this.name);
        await this.destroy();
        await this.command("stack", "rm", "--yes", "--force", this.name);
        fs.rmSync(path.join(REPOSITORY, `Pulumi.${this.name}.yaml`), { force: true });
        await this.session.run("kubectl", [
            "delete",
            "services",
            "--all",
            "--selector",
            "component!=apiserver",
            "--namespace",
            "default",
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
