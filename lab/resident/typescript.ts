import * as fs from "node:fs";
import { createRequire } from "node:module";
import type * as Compiler from "typescript";

const load = createRequire(__filename);

/** Module while it is loaded. Node's types leave out the method that compiles. */
interface LoadedModule extends NodeJS.Module {
    _compile(code: string, file: string): void;
}

/**
 * Compiles each TypeScript source when it is loaded, like the SDK with `PULUMI_NODEJS_TRANSPILE_ONLY`: without type
 * checks.
 * Node by itself would only leave the types out, which is not enough for what a program may contain.
 */
export function compileTypescript(): void {
    // As ts-node does it, with which the SDK compiles.
    load.extensions[".ts"] = (module, file) => {
        const { ModuleKind, ScriptTarget, transpileModule } = load("typescript") as typeof Compiler;
        const compilerOptions = {
            target: ScriptTarget.ES2022,
            module: ModuleKind.CommonJS,
            esModuleInterop: true,
            inlineSourceMap: true,
        };
        const { outputText } = transpileModule(fs.readFileSync(file, "utf8"), { compilerOptions, fileName: file });
        (module as LoadedModule)._compile(outputText, file);
    };
}
