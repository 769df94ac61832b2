/** Kubernetes manifests from YAML text. */

import { isNode, LineCounter, type Node, parseAllDocuments, visit, type Document } from "yaml";
import {
    collector,
    type Diagnostic,
    type FieldPath,
    isMapping,
    type InputCode,
    type Position,
} from "../../diagnostics";
import { subjectOf, type OtherDocument, type ServiceDocument } from "./document";
import { Locator } from "./locate";
import { quote, redact } from "../../net/redact";
import { MAX_ALIAS_COUNT, MAX_ANCHORS, MAX_MANIFEST, tooLarge } from "./limits";
import { YAML_OPTIONS } from "./yaml-options";
import { defined } from "../../schema/defined";

/** What a manifest holds. Objects with a syntax error in their document are left out; the others are still there. */
export interface Manifest {
    readonly services: readonly ServiceDocument[];
    readonly others: readonly OtherDocument[];
    readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a YAML (or JSON) text with any number of documents. Empty documents are skipped, and the items of a `kind: List` are taken out.
 * Whatever is wrong with the text becomes a diagnostic with its position; this function never throws.
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

    constructor(private readonly file: string | undefined) {}

    readAll(text: string): void {
        if (/^(?:\uFFFD\uFFFD|.\0|\0)/.test(text)) {
            this.refuse(
                "manifest-syntax",
                this.at(0),
                "the text is no UTF-8; it looks like UTF-16, which PowerShell writes",
                "save it as UTF-8, for example with Out-File -Encoding utf8",
            );
            return;
        }
        if (text.length > MAX_MANIFEST) {
            this.refuse("manifest-document", this.at(0), tooLarge(text.length), "split it into several files");
            return;
        }
        let documents: readonly Document[];
        try {
            documents = parseAllDocuments(text, { ...YAML_OPTIONS, lineCounter: this.lines });
        } catch (error) {
            // The parser recurses, so that deep nesting ends in a stack overflow instead of a syntax error.
            this.refuse(
                "manifest-syntax",
                this.at(0),
                `the text cannot be read as YAML: ${messageOf(error)}`,
                "reduce the nesting of the document",
            );
            return;
        }
        for (const document of documents) this.readDocument(document);
    }

    private readDocument(document: Document): void {
        for (const problem of document.errors) {
            this.refuse(
                "manifest-syntax",
                this.at(problem.pos[0]),
                firstLine(problem.message),
                "correct the YAML; the whole document is skipped until then",
            );
        }
        if (document.errors.length > 0) return;
        for (const warning of document.warnings) {
            this.refuse(
                "manifest-syntax",
                this.at(warning.pos[0]),
                firstLine(warning.message),
                "remove the tag; Kubernetes does not know it either",
            );
        }
        if (document.warnings.length > 0) return;
        let object: unknown;
        try {
            const { endless, anchors } = anchorsOf(document);
            if (endless !== undefined) {
                this.refuse(
                    "manifest-syntax",
                    this.at(endless),
                    "the alias stands inside of what its anchor names, so that the document has no end",
                    "write out what the alias stands for",
                );
                return;
            }
            if (anchors > MAX_ANCHORS) {
                this.refuse(
                    "manifest-syntax",
                    this.at(document.range?.[0] ?? 0),
                    `the document has ${anchors} anchors, and at most ${MAX_ANCHORS} are followed`,
                    "write the repeated parts out, or split the document",
                );
                return;
            }
            object = document.toJS({ maxAliasCount: MAX_ALIAS_COUNT });
        } catch (error) {
            this.refuse(
                "manifest-syntax",
                this.at(danglingAlias(document) ?? document.range?.[0] ?? 0),
                `the document cannot be expanded: ${messageOf(error)}`,
                "write the repeated part out instead of using an alias",
            );
            return;
        }
        if (object === null || object === undefined) return;
        this.readObject(object, document, []);
    }

    private readObject(object: unknown, document: Document, root: FieldPath): void {
        const locator = new Locator(document, this.lines, this.file, root);
        const here = locator.locate([]);
        if (!isMapping(object)) {
            this.refuse(
                "manifest-document",
                here,
                `expected a Kubernetes object, found ${describe(object)}`,
                "start the document with apiVersion and kind",
            );
            return;
        }
        const { apiVersion, kind, items } = object;
        if (typeof apiVersion !== "string" || apiVersion === "" || typeof kind !== "string" || kind === "") {
            const field = typeof kind !== "string" || kind === "" ? "kind" : "apiVersion";
            this.refuse(
                "manifest-document",
                locator.locate([field], "value") ?? here,
                `the object has no ${field}`,
                "every Kubernetes object needs apiVersion and kind, both strings",
            );
            return;
        }
        if (apiVersion === "v1" && (kind === "List" || kind === "ServiceList")) {
            this.readItems(items, document, root, locator);
            return;
        }
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
        if (!Array.isArray(items)) {
            this.refuse(
                "manifest-document",
                locator.locate(["items"]),
                `items of a List must be a list, found ${describe(items)}`,
                "write one object per list entry",
            );
            return;
        }
        items.forEach((item, index) => this.readObject(item, document, [...root, "items", index]));
    }

    private at(offset: number): Position {
        const { line, col } = this.lines.linePos(offset);
        // Text of a single line has no recorded line starts when the parser gave up early.
        const position = { line: Math.max(line, 1), col: Math.max(col, 1) };
        return this.file === undefined ? position : { file: this.file, ...position };
    }

    private refuse(code: InputCode, position: Position | undefined, cause: string, remedy: string): void {
        const place = { subject: this.file ?? "manifest", ...defined({ position }) };
        this.report.error(place, cause, remedy, { code });
    }
}

/** Number of anchors of a document, and the offset of the first alias that stands inside of its own anchor: legal YAML, and a value without an end. */
function anchorsOf(document: Document): { readonly anchors: number; readonly endless?: number } {
    const named = new Map<string, Node>();
    let anchors = 0;
    let endless: number | undefined;
    visit(document, {
        Node(_, node) {
            if (!("anchor" in node) || node.anchor === undefined) return;
            named.set(node.anchor, node);
            anchors++;
        },
        Alias(_, alias, ancestors) {
            const holder = named.get(alias.source);
            if (holder === undefined || !ancestors.some((one) => isNode(one) && one === holder)) return undefined;
            endless = alias.range?.[0] ?? 0;
            return visit.BREAK;
        },
    });
    return endless === undefined ? { anchors } : { anchors, endless };
}

/** The offset of the first alias whose anchor does not exist. */
function danglingAlias(document: Document): number | undefined {
    let offset: number | undefined;
    visit(document, {
        Alias(_, alias) {
            if (alias.resolve(document) !== undefined) return undefined;
            offset = alias.range?.[0];
            return visit.BREAK;
        },
    });
    return offset;
}

const firstLine = (text: string): string => redact(text.split("\n", 1)[0] ?? text);

const messageOf = (error: unknown): string => firstLine(error instanceof Error ? error.message : String(error));

function describe(value: unknown): string {
    if (Array.isArray(value)) return "a list";
    if (value === null || value === undefined) return "nothing";
    return typeof value === "object" ? "a mapping" : `the ${typeof value} ${quote(value)}`;
}
