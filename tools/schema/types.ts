/** Types of TypeScript as types of a Pulumi package schema. */
import * as ts from "typescript";
import { unlessEmpty } from "../../provider/schema/defined";

/** Type of a property: a primitive, a list, a map, or a reference. */
export interface TypeSpec {
    readonly type?: string;
    readonly $ref?: string;
    readonly items?: TypeSpec;
    readonly additionalProperties?: TypeSpec;
    readonly oneOf?: readonly TypeSpec[];
    /** The value cannot be an output of another resource. */
    readonly plain?: true;
}

export interface PropertySpec extends TypeSpec {
    readonly description?: string;
    readonly secret?: true;
}

/** A named type: an object, or a text with some values. */
export interface NamedSpec {
    readonly type: "object" | "string";
    readonly description?: string;
    readonly properties?: Readonly<Record<string, PropertySpec>>;
    readonly required?: readonly string[] | undefined;
    readonly enum?: readonly { readonly value: string }[];
}

/** Corrections of a schema where it differs from the types. */
export interface Choices {
    /** Types for classes and opaque types of TypeScript, by their names. */
    readonly instead: Readonly<Record<string, TypeSpec>>;
    /** Returns the description of a property. Default: its doc comment. */
    readonly describe: (parent: string, property: string) => string | undefined;
    /** Properties whose values are secrets. */
    readonly secrets: readonly string[];
}

export const ANY: TypeSpec = { $ref: "pulumi.json#/Any" };

/** Reads interfaces, and collects the named types that they refer to. */
export class TypeReader {
    readonly types = new Map<string, NamedSpec>();
    readonly #checker: ts.TypeChecker;
    readonly #exports: ReadonlyMap<string, ts.Symbol>;

    /** @param files sources whose exports can be read by name */
    constructor(
        files: readonly string[],
        private readonly choices: Choices,
    ) {
        const options = { strict: true, module: ts.ModuleKind.NodeNext, skipLibCheck: true };
        const program = ts.createProgram([...files], options);
        this.#checker = program.getTypeChecker();
        this.#exports = new Map(
            files.flatMap((file) => {
                const source = program.getSourceFile(file);
                const module = source && this.#checker.getSymbolAtLocation(source);
                if (module === undefined) throw new Error(`${file} is no module`);
                return this.#checker.getExportsOfModule(module).map((one) => [one.name, one] as const);
            }),
        );
    }

    /** Properties of an exported interface, or of a class that are Outputs or texts. */
    propertiesOf(name: string, only?: readonly string[]) {
        const symbol = this.#exports.get(name);
        if (symbol === undefined) throw new Error(`no file exports ${name}`);
        return this.#properties(this.#checker.getDeclaredTypeOfSymbol(this.#aliased(symbol)), name, only);
    }

    /** Doc comment of an export. */
    descriptionOf(name: string): string {
        const symbol = this.#exports.get(name);
        return symbol === undefined ? "" : this.#comment(this.#aliased(symbol));
    }

    readonly #aliased = (symbol: ts.Symbol): ts.Symbol =>
        symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;

    #comment(symbol: ts.Symbol): string {
        const text = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker));
        return text
            .replaceAll(/\{@link ([^}]+)\}/g, "`$1`")
            .replaceAll(/\s+/g, " ")
            .trim();
    }

    #properties(type: ts.Type, parent: string, only?: readonly string[]) {
        const properties: Record<string, PropertySpec> = {};
        const required: string[] = [];
        for (const property of this.#checker.getPropertiesOfType(type)) {
            const { name } = property;
            if (only !== undefined && !only.includes(name)) continue;
            const description = this.choices.describe(parent, name) ?? this.#comment(property);
            properties[name] = {
                ...this.#specOf(this.#declaredType(property), pascal(name)),
                ...(description !== "" && { description }),
                ...(this.choices.secrets.includes(name) && { secret: true as const }),
            };
            if (!(property.flags & ts.SymbolFlags.Optional)) required.push(name);
        }
        // The CLI leaves an empty list out.
        return { properties, required: unlessEmpty(required) };
    }

    /** The type as it is written, which has the name of an alias. */
    #declaredType(property: ts.Symbol): ts.Type {
        const [declaration] = property.declarations ?? [];
        const node = declaration !== undefined && "type" in declaration ? (declaration.type as ts.TypeNode) : undefined;
        return node === undefined ? this.#checker.getTypeOfSymbol(property) : this.#checker.getTypeFromTypeNode(node);
    }

    /** @param name of an enumeration or an object that has none of its own */
    #specOf(type: ts.Type, name: string): TypeSpec {
        const spec = this.#valueSpec(type, name);
        const isInput = type.isUnion() && type.types.some(isOutput);
        return isInput || isOutput(type) || isResource(spec) ? spec : { ...spec, plain: true };
    }

    #valueSpec(type: ts.Type, name: string): TypeSpec {
        const own = nameOf(type);
        const instead = this.choices.instead[own];
        if (instead !== undefined) return instead;
        const { flags } = type;
        if (flags & ts.TypeFlags.StringLike) return { type: "string" };
        if (flags & ts.TypeFlags.NumberLike) return { type: "integer" };
        if (flags & ts.TypeFlags.BooleanLike) return { type: "boolean" };
        if (flags & ts.TypeFlags.NonPrimitive || flags & ts.TypeFlags.Unknown) return ANY;
        if (type.isUnion()) return this.#unionSpec(type, own || name);
        if (isOutput(type)) return this.#valueSpec(this.#argument(type), name);
        if (this.#checker.isArrayType(type)) return { type: "array", items: this.#item(this.#argument(type), name) };
        const values = this.#checker.getIndexTypeOfType(type, ts.IndexKind.String);
        if (values !== undefined) return { type: "object", additionalProperties: this.#item(values, name) };
        return this.#reference(own === "" ? name : own.replace(/Args$/, ""), () => ({
            type: "object",
            ...this.#properties(type, own),
        }));
    }

    /** Elements are plain if their list is. */
    #item(type: ts.Type, name: string): TypeSpec {
        const { plain: _, ...spec } = this.#specOf(type, name.replace(/s$/, ""));
        return spec;
    }

    #unionSpec(type: ts.UnionType, name: string): TypeSpec {
        const members = type.types.filter((one) => !isOutput(one) && !(one.flags & NOTHING));
        const [first] = members;
        if (first === undefined) throw new Error(`${name} has no values`);
        if (members.every((one) => one.isStringLiteral()))
            return this.#reference(name, () => ({
                type: "string",
                // The compiler's order depends on other sources.
                enum: members
                    .map((one) => one.value)
                    .sort()
                    .map((value) => ({ value })),
            }));
        if (members.length === 1) return this.#valueSpec(first, name);
        if (members.some((one) => one.flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive))) return ANY;
        const specs = new Map(members.map((one) => this.#valueSpec(one, name)).map((spec) => [spec.type, spec]));
        const [only] = specs.values();
        return specs.size === 1 && only !== undefined ? only : { oneOf: [...specs.values()] };
    }

    #argument(type: ts.Type): ts.Type {
        const part = type.isIntersection() ? (type.types.find(isOutput) as ts.Type) : type;
        const [argument] = this.#checker.getTypeArguments(part as ts.TypeReference);
        if (argument === undefined) throw new Error(`${this.#checker.typeToString(type)} has no argument`);
        return argument;
    }

    #reference(name: string, make: () => NamedSpec): TypeSpec {
        if (!this.types.has(name)) {
            // A type that refers to itself finds this one.
            this.types.set(name, { type: "object" });
            this.types.set(name, make());
        }
        return { $ref: `#/types/ack-loadbalancer:index:${name}` };
    }
}

const NOTHING = ts.TypeFlags.Undefined | ts.TypeFlags.Null;

/** True for an Output or a Promise. */
const isOutput = (type: ts.Type): boolean =>
    type.isIntersection()
        ? type.types.some(isOutput)
        : ["OutputInstance", "Promise"].includes((type.getSymbol() ?? type.aliasSymbol)?.name ?? "");

const isResource = ({ $ref }: TypeSpec): boolean => $ref?.startsWith("#/resources/") ?? false;

/** Name of a type that the sources name. It is empty for a literal and a utility of TypeScript or of Pulumi. */
function nameOf(type: ts.Type): string {
    const name = (type.aliasSymbol ?? type.getSymbol())?.name ?? "";
    return name.startsWith("__") || ["Input", "Partial", "Pick", "Readonly", "Record"].includes(name) ? "" : name;
}

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
