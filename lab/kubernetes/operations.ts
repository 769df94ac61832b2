/** Check, Diff, Create, Read, Update and Delete of any object. */
import { type Autonaming, hexDigits } from "../plugin-server/autonaming";
import type { EngineLog } from "../plugin-server/engine-log";
import { InitError } from "../plugin-server/provider";
import { ApiError, Unreachable } from "./api";
import { named, suffixLength } from "./autoname";
import { awaitGone, awaitReady, awaitsDeletion, NotReady, type WaitContext } from "./await";
import { fromCheckpoint, prune, toCheckpoint } from "./checkpoint";
import { Cluster, NoSuchKind } from "./cluster";
import { differenceOf, type Difference } from "./difference";
import { creationFailed } from "./failures";
import { adoptManagedFields } from "./managed-fields";
import {
    annotationOf,
    annotations,
    idOf,
    nameOf,
    namespaceOf,
    parseId,
    typeOf,
    withMetadata,
    withoutReadOnly,
    type ObjectType,
} from "./objects";
import { keepIgnored, mergePatchFor } from "./patches";
import { containsUnknown, isMap, markSecrets, plain, toStruct, type JsonMap } from "./properties";
import type { Settings } from "./settings";

/** Manager of objects at their creation. Updates have their own manager. */
const creationManager = "pulumi-kubernetes";

export class Operations {
    readonly cluster: Cluster;
    isCancelled = false;

    constructor(
        private readonly settings: Settings,
        private readonly log: EngineLog,
    ) {
        this.cluster = new Cluster(settings.api);
    }

    async check(
        urn: string,
        olds: JsonMap,
        news: JsonMap,
        seed: Uint8Array,
        autonaming: Autonaming | undefined,
    ): Promise<JsonMap> {
        const old = plain(olds);
        let object = withoutReadOnly(plain(news));
        const type = typeOf(object, urn);
        object = { ...object, apiVersion: type.apiVersion, kind: type.kind };
        if (
            isMap(object["metadata"]) &&
            object["metadata"]["generateName"] !== undefined &&
            this.settings.serverSideApply
        ) {
            throw new Error("the `.metadata.generateName` field is not supported in Server-Side Apply mode");
        }
        if (nameOf(object) === "") object = named(object, old, urn, seed, autonaming);
        if (namespaceOf(object) === "" && (await this.isNamespaced(type)))
            object = withMetadata(object, { namespace: this.settings.namespace });
        return markSecrets(object, news);
    }

    /**
     * Reports whether a type has a namespace. An unknown type is taken to have it, since a CRD may come with this very
     * update.
     */
    private async isNamespaced(type: ObjectType): Promise<boolean> {
        return (await this.cluster.kind(type))?.namespaced ?? true;
    }

    async diff(urn: string, state: JsonMap, newInputs: JsonMap, ignored: readonly string[]): Promise<Difference> {
        const type = typeOf(plain(newInputs), urn);
        const mutability = { configMaps: this.settings.mutableConfigMaps, secrets: this.settings.mutableSecrets };
        return differenceOf(type, await this.isNamespaced(type), state, newInputs, ignored, mutability);
    }

    async create(
        urn: string,
        inputs: JsonMap,
        preview: boolean,
        timeout: number,
    ): Promise<{ id: string; state: JsonMap }> {
        const object = plain(inputs);
        const type = typeOf(object, urn);
        if (
            preview &&
            (containsUnknown(object) || !this.settings.serverSideApply || (await this.cluster.kind(type)) === undefined)
        ) {
            return { id: "", state: inputs };
        }
        const manager = this.managerOf(undefined, object);
        let live: JsonMap;
        try {
            live = await this.cluster.create(type, object, { dryRun: preview, fieldManager: creationManager });
        } catch (error) {
            // In a preview a namespace of this update does not exist yet, and an object that will be replaced may still
            // exist.
            if (preview && error instanceof ApiError && [403, 404, 409].includes(error.code))
                return { id: "", state: inputs };
            throw creationFailed(urn, type, error);
        }
        await this.log.status(urn, "");
        if (preview) {
            delete live["status"];
            return { id: "", state: toCheckpoint(object, live, inputs, type.apiVersion, manager) };
        }
        const finish = (result: JsonMap): JsonMap => toCheckpoint(object, result, inputs, type.apiVersion, manager);
        live = await this.settled(
            urn,
            type,
            live,
            timeout,
            finish,
            (reason) =>
                `resource "${urn}" was successfully created, but the Kubernetes API server ` +
                `reported that it failed to fully initialize or become live: ${reason}`,
        );
        return { id: idOf(live), state: finish(live) };
    }

    private async settled(
        urn: string,
        type: ObjectType,
        live: JsonMap,
        timeout: number,
        finish: (live: JsonMap) => JsonMap,
        explain: (reason: string) => string,
    ): Promise<JsonMap> {
        try {
            const ready = await awaitReady(live, this.waiting(urn, type, timeout));
            await this.log.status(urn, "");
            return ready;
        } catch (error) {
            const last = error instanceof NotReady ? error.live : live;
            throw new InitError(
                idOf(last),
                toStruct(finish(last)),
                explain(error instanceof Error ? error.message : String(error)),
            );
        }
    }

    private waiting(urn: string, type: ObjectType, timeout: number): WaitContext {
        return {
            cluster: this.cluster,
            type,
            timeout,
            cancelled: () => this.isCancelled,
            report: (message) => this.log.status(urn, message),
        };
    }

    /**
     * Returns the name under which an object's fields are owned: from its annotation, from its state, or a new name.
     */
    private managerOf(known: string | undefined, object: JsonMap): string {
        if (!this.settings.serverSideApply) return creationManager;
        return (
            annotationOf(object, annotations.fieldManager) ||
            known ||
            `pulumi-kubernetes-${hexDigits(new Uint8Array(), suffixLength)}`
        );
    }

    /** Returns `undefined` when the object does not exist. An unreachable cluster is an error. */
    async read(
        urn: string,
        id: string,
        state: JsonMap,
        inputs: JsonMap,
    ): Promise<{ id: string; state: JsonMap; inputs: JsonMap } | undefined> {
        const checkpoint = fromCheckpoint(state);
        const oldInputs = withoutReadOnly(plain(inputs));
        const isImport = oldInputs["kind"] === undefined && checkpoint.live["kind"] === undefined;
        const type = typeOf(isImport ? {} : oldInputs["kind"] === undefined ? checkpoint.live : oldInputs, urn);
        const { namespace, name } = parseId(id);
        let live: JsonMap;
        try {
            live = await this.cluster.get(type, namespace, name);
        } catch (error) {
            if (error instanceof NoSuchKind || (error instanceof ApiError && error.code === 404)) return undefined;
            if (error instanceof Unreachable && this.settings.deleteUnreachable) return undefined;
            throw error;
        }
        const liveInputs = isImport
            ? importedInputs(live)
            : { ...prune(live, oldInputs), apiVersion: type.apiVersion, kind: type.kind };
        const manager = this.managerOf(checkpoint.fieldManager, oldInputs);
        return {
            id,
            inputs: markSecrets(liveInputs, inputs),
            state: toCheckpoint(liveInputs, live, inputs, checkpoint.initialApiVersion ?? type.apiVersion, manager),
        };
    }

    async update(
        urn: string,
        state: JsonMap,
        newInputs: JsonMap,
        ignored: readonly string[],
        preview: boolean,
        timeout: number,
    ): Promise<JsonMap> {
        const checkpoint = fromCheckpoint(state);
        const object = withoutReadOnly(plain(newInputs));
        const type = typeOf(object, urn);
        if (preview && (containsUnknown(object) || (await this.cluster.kind(type)) === undefined)) return newInputs;
        const manager = this.managerOf(checkpoint.fieldManager, object);
        const finish = (live: JsonMap): JsonMap =>
            toCheckpoint(object, live, newInputs, checkpoint.initialApiVersion ?? type.apiVersion, manager);
        const explain = (reason: string): string =>
            `the Kubernetes API server reported that "${idOf(object)}" ` +
            `failed to fully initialize or become live: ${reason}`;
        let live: JsonMap;
        try {
            const before = await this.cluster.get(type, namespaceOf(object), nameOf(object));
            const desired = keepIgnored(object, before, ignored);
            const options = { dryRun: preview, fieldManager: manager };
            if (this.settings.serverSideApply) {
                await adoptManagedFields(this.cluster, type, before, creationManager, manager, options);
                live = await this.cluster.patch(type, desired, "application/apply-patch+yaml", desired, options);
            } else {
                const patch = mergePatchFor(before, desired, prune(checkpoint.live, checkpoint.inputs));
                live = await this.cluster.patch(type, desired, "application/merge-patch+json", patch, options);
            }
        } catch (error) {
            if (preview && error instanceof ApiError && error.code === 403) return newInputs;
            throw await this.updateFailed(urn, type, object, finish, explain, error);
        }
        if (preview) return finish(live);
        return finish(await this.settled(urn, type, live, timeout, finish, explain));
    }

    /** Reports a refused update, which leaves the object as it is. The engine receives its state. */
    private async updateFailed(
        urn: string,
        type: ObjectType,
        object: JsonMap,
        finish: (live: JsonMap) => JsonMap,
        explain: (reason: string) => string,
        cause: unknown,
    ): Promise<Error> {
        const reason = cause instanceof Error ? cause.message : String(cause);
        try {
            const live = await this.cluster.get(type, namespaceOf(object), nameOf(object));
            return new InitError(idOf(live), toStruct(finish(live)), explain(reason));
        } catch (error) {
            return new Error(
                `update of resource "${urn}" failed: ${reason}\n` +
                    `unable to get cluster state: ${error instanceof Error ? error.message : String(error)}`,
            );
        }
    }

    async delete(urn: string, id: string, state: JsonMap, timeout: number): Promise<void> {
        const { live, inputs } = fromCheckpoint(state);
        const type = typeOf(live["kind"] === undefined ? inputs : live, urn);
        const { namespace, name } = parseId(id);
        try {
            await this.cluster.delete(type, namespace, name, propagationOf(inputs));
        } catch (error) {
            if (error instanceof NoSuchKind || (error instanceof ApiError && error.code === 404)) return;
            if (error instanceof Unreachable && this.settings.deleteUnreachable) return;
            throw error;
        }
        if (!awaitsDeletion(inputs, type)) return;
        const object = withMetadata(live, { name, ...(namespace === "" ? {} : { namespace }) });
        try {
            await awaitGone(object, this.waiting(urn, type, timeout));
            await this.log.status(urn, "");
        } catch (error) {
            if (!(error instanceof NotReady)) throw error;
            const { initialApiVersion, fieldManager } = fromCheckpoint(state);
            throw new InitError(
                id,
                toStruct(
                    toCheckpoint(
                        inputs,
                        error.live,
                        inputs,
                        initialApiVersion ?? type.apiVersion,
                        fieldManager ?? creationManager,
                    ),
                ),
                error.message,
            );
        }
    }
}

function propagationOf(inputs: JsonMap): string {
    const desired = annotationOf(inputs, annotations.deletionPropagation).toLowerCase();
    return desired === "background" ? "Background" : desired === "orphan" ? "Orphan" : "Foreground";
}

/** Returns the inputs of an import: everything except fields that the server alone writes. */
function importedInputs(live: JsonMap): JsonMap {
    const object = withoutReadOnly(live);
    delete object["status"];
    const values = isMap(object["metadata"]) ? object["metadata"]["annotations"] : undefined;
    if (isMap(values))
        for (const name of ["deployment.kubernetes.io/revision", "kubectl.kubernetes.io/last-applied-configuration"])
            delete values[name];
    return object;
}
