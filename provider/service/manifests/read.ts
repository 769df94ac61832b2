import type { Document, DocumentOptions, ParseOptions, SchemaOptions, Tags } from "yaml";
import { LineCounter, parseAllDocuments } from "yaml";
import { collector, type Details, type Diagnostic, type FieldPath, isMapping, type Position } from "../../diagnostics";
import { Locator, subjectOf, type OtherDocument, type ServiceDocument } from "./document";
import { firstLine, quote } from "../../net/redact";
import { defined } from "../../schema/defined";
import { prepareTree } from "./tree";

// Limits: far more than a Service needs, and low enough for reading to end within seconds.

/** Longest manifest, in characters or bytes of a file. Source: Kubernetes, maxRequestBodyBytes of the API server. */
export const MAX_MANIFEST = 3 * 1024 * 1024;

/** Most values that the aliases of a manifest stand for: those of some 1,500 Services, read in about a second. */
const MAX_ALIASED = 40_000;

/** Returns the reason to refuse a manifest. @param size characters, or bytes of a file */
export const tooLarge = (size: number): string =>
    `it holds ${Math.ceil(size / 1024 / 1024)} MB, and at most ${MAX_MANIFEST / 1024 / 1024} MB are read`;

/** Tags of YAML 1.1 that the Kubernetes tools do not read: `80:43` is no number in base 60, and a date is a text. */
const NOT_IN_KUBERNETES = new Set(["timestamp", "binary", "omap", "pairs", "set"]);

const kubernetesTags = (tags: Tags): Tags =>
    tags.filter((tag) => {
        if (typeof tag === "string") return !NOT_IN_KUBERNETES.has(tag) && tag !== "intTime" && tag !== "floatTime";
        const name = tag.tag.replace("tag:yaml.org,2002:", "");
        return !NOT_IN_KUBERNETES.has(name) && !("format" in tag && tag.format === "TIME");
    });

/** As the Kubernetes tools read YAML: a bare `on`, `off`, `yes` or `no` is a boolean. `prepareTree` checks the keys. */
const YAML_OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
    version: "1.1",
    schema: "yaml-1.1",
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    customTags: kubernetesTags,
};

/** Removes byte order marks: of the text, and of the files that it was put together from. */
const withoutMarks = (text: string): string => text.replaceAll(/^\uFEFF/gm, "");

/** Objects of a manifest. Those of a document with a syntax error are missing. */
export interface Manifest {
    readonly services: readonly ServiceDocument[];
    readonly others: readonly OtherDocument[];
    readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a YAML or JSON text with any number of documents. Empty documents are skipped, and a `kind: List` is replaced
 * by its items. Every problem becomes a diagnostic with its position, and nothing is thrown.
 *
 * @param file name of the text, used in positions only.
 */
export function readManifests(text: string, file?: string): Manifest {
    const reader = new Reader(file);
    reader.readAll(text);
    return reader;
}

class Reader implements Manifest {
    readonly services: ServiceDocument[] = [];
    readonly others: OtherDocument[] = [];
    private readonly report = collector("manifest-document");
    readonly diagnostics = this.report.diagnostics;
    private readonly lines = new LineCounter();
    private aliased = 0;

    constructor(private readonly file: string | undefined) {}

    readAll(text: string): void {
        if (/^(?:\uFFFD\uFFFD|.\0|\0)/.test(text)) {
            const cause = "the text is no UTF-8; it looks like UTF-16, which PowerShell writes";
            return this.refuseSyntax(0, cause, "save it as UTF-8, for example with Out-File -Encoding utf8");
        }
        if (text.length > MAX_MANIFEST)
            return this.refuse(this.at(0), tooLarge(text.length), "split it into several files");
        let documents: readonly Document[];
        try {
            documents = parseAllDocuments(withoutMarks(text), { ...YAML_OPTIONS, lineCounter: this.lines });
        } catch (error) {
            // The parser recurses: deep nesting is a stack overflow instead of a syntax error.
            const cause = `the text cannot be read as YAML: ${firstLine(error)}`;
            return this.refuseSyntax(0, cause, "reduce the nesting of the document");
        }
        for (const document of documents) this.readDocument(document);
    }

    private readDocument(document: Document): void {
        const { errors, warnings, range } = document;
        for (const { pos, message } of errors)
            this.refuseSyntax(pos[0], firstLine(message), "correct the YAML; the whole document is skipped until then");
        if (errors.length > 0) return;
        for (const { pos, message } of warnings)
            this.refuseSyntax(pos[0], firstLine(message), "remove it; Kubernetes does not know it either");
        if (warnings.length > 0) return;
        const start = range?.[0] ?? 0;
        let object: unknown;
        try {
            const { problems, added } = prepareTree(document);
            for (const { offset = start, cause, remedy } of problems) this.refuseSyntax(offset, cause, remedy);
            if (problems.length > 0) return;
            if (this.aliased + added > MAX_ALIASED) {
                const cause = `the aliases up to here stand for more than ${MAX_ALIASED} values`;
                return this.refuseSyntax(start, cause, "write the repeated parts out, or split the file");
            }
            this.aliased += added;
            object = document.toJS({ maxAliasCount: -1 });
        } catch (error) {
            const cause = `the document cannot be expanded: ${firstLine(error)}`;
            return this.refuseSyntax(start, cause, "write the repeated part out instead of using an alias");
        }
        if (object !== null && object !== undefined) this.readObject(object, document, []);
    }

    private readObject(object: unknown, document: Document, root: FieldPath): void {
        const locator = new Locator(document, this.at.bind(this), root);
        const here = locator.locate([]);
        if (!isMapping(object)) {
            const cause = `expected a Kubernetes object, found ${describe(object)}`;
            return this.refuse(here, cause, "start the document with apiVersion and kind");
        }
        const { apiVersion, kind, items } = object;
        if (typeof apiVersion !== "string" || apiVersion === "" || typeof kind !== "string" || kind === "") {
            const field = typeof kind !== "string" || kind === "" ? "kind" : "apiVersion";
            const remedy = "every Kubernetes object needs apiVersion and kind, both strings";
            return this.refuse(locator.locate([field]) ?? here, `the object has no ${field}`, remedy);
        }
        if (apiVersion === "v1" && (kind === "List" || kind === "ServiceList"))
            return this.readItems(items, document, root, locator);
        const common = {
            apiVersion,
            object,
            subject: subjectOf(kind, object),
            locate: locator.locate.bind(locator),
            written: locator.written.bind(locator),
        };
        if (apiVersion === "v1" && kind === "Service") this.services.push({ ...common, kind });
        else this.others.push({ ...common, kind });
    }

    private readItems(items: unknown, document: Document, root: FieldPath, locator: Locator): void {
        if (items === null || items === undefined) return;
        if (Array.isArray(items))
            return items.forEach((item, index) => this.readObject(item, document, [...root, "items", index]));
        const cause = `items of a List must be a list, found ${describe(items)}`;
        this.refuse(locator.locate(["items"]), cause, "write one object per list entry");
    }

    private at(offset: number): Position {
        const { line, col } = this.lines.linePos(offset);
        // Text of a single line has no recorded line starts when the parser gave up early.
        const position = { line: Math.max(line, 1), col: Math.max(col, 1) };
        return this.file === undefined ? position : { file: this.file, ...position };
    }

    private refuseSyntax(offset: number, cause: string, remedy: string): void {
        this.refuse(this.at(offset), cause, remedy, { code: "manifest-syntax" });
    }

    private refuse(position: Position | undefined, cause: string, remedy: string, details?: Details): void {
        this.report.error({ subject: this.file ?? "manifest", ...defined({ position }) }, cause, remedy, details);
    }
}

function describe(value: unknown): string {
    if (Array.isArray(value)) return "a list";
    if (value === null || value === undefined) return "nothing";
    return typeof value === "object" ? "a mapping" : `the ${typeof value} ${quote(value)}`;
}
