import { pathToFileURL } from "node:url";
import { relative, sep } from "node:path";
import type { SourcePosition, StackTrace } from "@pulumi/pulumi/proto/source_pb";
import type { StackFrame } from "../state";

/** Text of a position: `project:///<file>#<line>,<column>`, relative to the project even outside it; empty if unknown. */
export function positionText(p: SourcePosition | undefined, root: string): string {
    if (!p || p.getLine() <= 0) return "";
    const uri = p.getUri();
    if (!uri.startsWith("file://")) return "";
    const base = pathToFileURL(root).pathname;
    const rel = relative(base, new URL(uri).pathname);
    return `project:///${rel.split(sep).join("/")}#${p.getLine()}${p.getColumn() > 0 ? `,${p.getColumn()}` : ""}`;
}

/** Frames of a stack trace. */
export function stackFrames(t: StackTrace | undefined, root: string): StackFrame[] {
    return (t?.getFramesList() ?? [])
        .map((f) => positionText(f.getPc(), root))
        .filter((s) => s !== "")
        .map((sourcePosition) => ({ sourcePosition }));
}
