/** Type of the resource that stands for the whole stack. */
export const ROOT_STACK_TYPE = "pulumi:pulumi:Stack";
const PROVIDER_PREFIX = "pulumi:providers:";

/** The parts of `urn:pulumi:<stack>::<project>::<qualified type>::<name>`. */
export function urnParts(urn: string): { stack: string; project: string; qualifiedType: string; name: string } {
    const parts = urn.slice("urn:pulumi:".length).split("::");
    return {
        stack: parts[0] ?? "",
        project: parts[1] ?? "",
        qualifiedType: parts[2] ?? "",
        name: parts.slice(3).join("::"),
    };
}
export function urnName(urn: string): string {
    return urnParts(urn).name;
}
/** The resource's own type, without those of its parents. */
export function urnType(urn: string): string {
    const q = urnParts(urn).qualifiedType;
    return q.slice(q.lastIndexOf("$") + 1);
}
/** Types of all parents and the own one, joined by `$`. */
export function urnQualifiedType(urn: string): string {
    return urnParts(urn).qualifiedType;
}

/** The URN of a resource; the root stack's type is not part of its children's type chain. */
export function makeUrn(stack: string, project: string, parent: string, type: string, name: string): string {
    const parentType = parent === "" ? "" : urnQualifiedType(parent);
    const chain = parentType === "" || parentType === ROOT_STACK_TYPE ? type : `${parentType}$${type}`;
    return `urn:pulumi:${stack}::${project}::${chain}::${name}`;
}

/** True for types of provider resources. */
export function isProviderType(type: string): boolean {
    return type.startsWith(PROVIDER_PREFIX);
}
/** The package a provider type belongs to. */
export function providerPackage(type: string): string {
    return type.slice(PROVIDER_PREFIX.length);
}
export function providerType(pkg: string): string {
    return PROVIDER_PREFIX + pkg;
}
/** The package of a resource or function token `pkg:module:name`. */
export function packageOf(token: string): string {
    return token.split(":")[0] ?? "";
}
/** Default providers are those the engine registers by itself. */
export function isDefaultProvider(urn: string): boolean {
    return isProviderType(urnType(urn)) && /^default(_|$)/.test(urnName(urn));
}
/** True if the text has the form of a URN. */
export function looksLikeUrn(text: string): boolean {
    return /^urn:pulumi:[^:]+::[^:]+::/.test(text);
}
/** URN of the root stack. */
export function rootStackUrn(stack: string, project: string): string {
    return makeUrn(stack, project, "", ROOT_STACK_TYPE, `${project}-${stack}`);
}
