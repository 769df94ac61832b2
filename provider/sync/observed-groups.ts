/** What is remembered of server groups between two reads. */
import { isDeepStrictEqual } from "node:util";
import type { BackendServer } from "../model/backend";
import { type BindingObject, bindingKeyOf } from "./binding/object";
import { ObservedGroup } from "./group";

/** Groups as they were observed, until something says that they may be different. */
export class ObservedGroups {
    readonly #groups = new Map<string, ObservedGroup>();
    /** Names of groups, which stay over a read of the members: they change by hand alone. */
    readonly #names = new Map<string, string>();
    /** Specs that were worked on last: a run that changes one has changed the group too. */
    readonly #specs = new Map<string, unknown>();

    /** The group as it was observed; it is read where it is not known. Undefined: the cloud has no such group. */
    async get(
        group: string,
        read: () => Promise<readonly BackendServer[] | undefined>,
    ): Promise<ObservedGroup | undefined> {
        const known = this.#groups.get(group);
        if (known !== undefined) return known;
        const servers = await read();
        if (servers === undefined) return undefined;
        const observed = new ObservedGroup(servers);
        this.#groups.set(group, observed);
        return observed;
    }

    /** Name of the group; it is asked for where it is not known. Undefined: the cloud has no such group. */
    async name(group: string, ask: () => Promise<string | undefined>): Promise<string | undefined> {
        const name = this.#names.get(group) ?? (await ask());
        if (name !== undefined) this.#names.set(group, name);
        return name;
    }

    /** The group is read again before it is worked on. */
    forget(group: string): void {
        this.#groups.delete(group);
        this.#names.delete(group);
    }

    /** Every group is read again. @param present the bindings that there are still, by key; specs of others are forgotten. Default: all stay. */
    clear(present?: ReadonlySet<string>): void {
        this.#groups.clear();
        if (present === undefined) return this.#names.clear();
        for (const key of this.#specs.keys()) if (!present.has(key)) this.#specs.delete(key);
    }

    /** Forgets a group whose binding has another spec than before. */
    noticeSpec(group: string, binding: BindingObject): void {
        const key = bindingKeyOf(binding);
        const known = this.#specs.get(key);
        if (known !== undefined && !isDeepStrictEqual(known, binding.spec)) this.forget(group);
        this.#specs.set(key, binding.spec);
    }
}
