/** Titles of tests, read from their source: running them all to learn their names would take minutes. */
import * as fs from "node:fs";
import * as path from "node:path";
import * as ts from "typescript";

/** The test titles in the source of a test file. */
interface Titles {
    readonly exact: ReadonlySet<string>;
    /** Titles with parts that are filled in, as tables of cases have. */
    readonly patterns: readonly RegExp[];
    /** Possible values of placeholders: texts, numbers and field names of the file and of its relative imports. */
    readonly words: ReadonlySet<string>;
}

const files = new Map<string, Titles>();

/**
 * True if a test file has a test with this printed title.
 *
 * A title with placeholders counts if each value, or each element of a list, is a string, a number or a property name
 * in the file or in a relative import.
 */
export function hasTest(file: string, title: string): boolean {
    const titles = files.get(file) ?? readTitles(file);
    files.set(file, titles);
    if (titles.exact.has(title)) {
        return true;
    }
    return titles.patterns.some((pattern) =>
        pattern
            .exec(title)
            ?.slice(1)
            .every((part) => isKnown(part.trim(), titles.words)),
    );
}

function isKnown(part: string, words: ReadonlySet<string>): boolean {
    return words.has(part) || part.split(", ").every((piece) => words.has(piece));
}

function readTitles(file: string): Titles {
    const exact = new Set<string>();
    const patterns: RegExp[] = [];
    const words = new Set<string>();
    const addWords = (node: ts.Node): void => {
        if (
            ts.isStringLiteralLike(node) ||
            ts.isNumericLiteral(node) ||
            (ts.isIdentifier(node) && ts.isPropertyAssignment(node.parent) && node.parent.name === node)
        ) {
            words.add(node.text);
        }
        ts.forEachChild(node, addWords);
    };
    const visit = (node: ts.Node): void => {
        if (ts.isImportDeclaration(node) && ts.isStringLiteralLike(node.moduleSpecifier)) {
            const imported = path.join(path.dirname(file), `${node.moduleSpecifier.text}.ts`);
            if (node.moduleSpecifier.text.startsWith(".") && fs.existsSync(imported)) addWords(parse(imported));
        }
        const title =
            ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "test"
                ? node.arguments[0]
                : undefined;
        if (title !== undefined && ts.isStringLiteralLike(title)) {
            exact.add(title.text);
        } else if (title !== undefined && ts.isTemplateExpression(title)) {
            const spans = title.templateSpans.map(({ literal }) => `(.+)${escape(literal.text)}`);
            patterns.push(new RegExp(`^${escape(title.head.text)}${spans.join("")}$`));
        }
        ts.forEachChild(node, visit);
    };
    const source = parse(file);
    addWords(source);
    visit(source);
    return { exact, patterns, words };
}

function parse(file: string): ts.SourceFile {
    return ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
}

function escape(text: string): string {
    return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
