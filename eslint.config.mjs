import eslint from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

// What the compiler does not see: promises that nobody waits for, cases that a switch forgets, causes that an error loses. Layout is prettier's.
export default defineConfig(
    { ignores: ["dist/", "api-docs/", "**/node_modules/", "**/testdata/"] },
    { linterOptions: { reportUnusedDisableDirectives: "error" } },
    eslint.configs.recommended,
    // Output is compared without its ANSI sequences.
    { rules: { "no-control-regex": "off" } },
    tseslint.configs.recommended,
    {
        files: ["**/*.ts"],
        // One program for all: the root's configuration includes the examples, and the SDKs' types fill gigabytes.
        languageOptions: { parserOptions: { project: "tsconfig.json", tsconfigRootDir: import.meta.dirname } },
        rules: {
            "@typescript-eslint/await-thenable": "error",
            "@typescript-eslint/no-floating-promises": "error",
            "@typescript-eslint/no-misused-promises": "error",
            "@typescript-eslint/no-unnecessary-type-assertion": "error",
            "@typescript-eslint/only-throw-error": "error",
            // What was caught, and the reason of an AbortSignal, is passed on as it is.
            "@typescript-eslint/prefer-promise-reject-errors": [
                "error",
                { allowThrowingAny: true, allowThrowingUnknown: true },
            ],
            "@typescript-eslint/restrict-template-expressions": "error",
            "@typescript-eslint/return-await": "error",
            "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
            "@typescript-eslint/no-require-imports": "error",
            "@typescript-eslint/no-unused-vars": [
                "error",
                {
                    argsIgnorePattern: "^_",
                    varsIgnorePattern: "^_",
                    destructuredArrayIgnorePattern: "^_",
                    ignoreRestSiblings: true,
                },
            ],
        },
    },
    {
        // Parity loads the components by the name that users have.
        files: ["tools/parity/*.ts"],
        rules: { "@typescript-eslint/no-require-imports": "off" },
    },
    {
        files: ["**/*.js", "**/*.cjs"],
        languageOptions: {
            sourceType: "commonjs",
            globals: { __dirname: "readonly", module: "writable", process: "readonly", require: "readonly" },
        },
        rules: { "@typescript-eslint/no-require-imports": "off" },
    },
    {
        files: ["cli/**/*.ts", "components/**/*.ts", "policies/**/*.ts", "provider/**/*.ts"],
        rules: { "@typescript-eslint/require-array-sort-compare": "error" },
    },
    {
        files: ["cli/**/*.ts", "components/**/*.ts", "policies/**/*.ts", "provider/**/*.ts"],
        ignores: ["**/*.test.ts"],
        rules: {
            "max-lines": ["error", 350],
            "max-lines-per-function": ["error", 60],
            // Each blank of a long run is a new beginning: the time grows with the square of the text, which others write.
            "no-restricted-syntax": [
                "error",
                {
                    selector: String.raw`Literal[regex.pattern=/(^\\s[*+].|\\s[*+]\$)/]`,
                    message: "Trim the text instead of matching blanks at its ends.",
                },
            ],
        },
    },
);
