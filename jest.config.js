// Most of a test's time goes into processes that load the Pulumi SDK: they compile it once.
process.env.ENGINE ??= "pinned";
process.env.NODE_COMPILE_CACHE ??= `${__dirname}/dist/.compile-cache`;

/** Packages that are ECMAScript modules only: jest loads CommonJS, so they are compiled like our own sources. */
const MODULES = [
    "@kubernetes/client-node",
    "agent-base",
    "jose",
    "jsonpath-plus",
    "oauth4webapi",
    "openid-client",
    "socks-proxy-agent",
];

/** Sources run as they are; what tests start as processes, and imports of the package by its name, come from `dist`. */
const shared = {
    rootDir: __dirname,
    testEnvironment: "<rootDir>/test/support/environment.js",
    moduleFileExtensions: ["ts", "js", "json", "node"],
    // A dynamic import names the compiled file, which tests do not load.
    moduleNameMapper: { "^(\\.{1,2}/.+)\\.js$": ["$1.js", "$1.ts"] },
    modulePathIgnorePatterns: ["<rootDir>/testdata/"],
    transform: {
        "\\.[tj]s$": [
            "@swc/jest",
            {
                jsc: { parser: { syntax: "typescript" }, target: "es2023" },
                module: { type: "commonjs" },
                sourceMaps: "inline",
            },
        ],
    },
    transformIgnorePatterns: [`/node_modules/(?!(?:${MODULES.join("|")})/)`, "<rootDir>/dist/"],
};

/** Tests of files that `make release` has built, in the folder that it names. */
const RELEASE = `${__dirname}/test/released/*.test.ts`;

/** Tests of whole stacks on the lab. */
const STACKS = [`${__dirname}/test/e2e/*.test.ts`, `${__dirname}/test/consumer/consumer.test.ts`];

/** Replays and trials: the engine with everything else in one process. */
const TRIALS = [`${__dirname}/tools/parity/parity.test.ts`, `${__dirname}/tools/trials/{crash,walk}/*.test.ts`];

module.exports = {
    projects: [
        {
            ...shared,
            displayName: "unit",
            testMatch: ["<rootDir>/**/*.test.ts", ...[...STACKS, ...TRIALS, RELEASE].map((pattern) => `!${pattern}`)],
            testPathIgnorePatterns: ["/node_modules/", "<rootDir>/dist/", "<rootDir>/lab/"],
        },
        { ...shared, displayName: "lab", testMatch: ["<rootDir>/lab/**/*.test.ts"] },
        { ...shared, displayName: "trials", testMatch: TRIALS },
        {
            ...shared,
            displayName: "e2e",
            testMatch: process.env.RELEASE === undefined ? STACKS : [...STACKS, RELEASE],
            testEnvironment: "<rootDir>/test/support/labs-environment.js",
            globalSetup: "<rootDir>/test/support/labs-setup.js",
            globalTeardown: "<rootDir>/test/support/labs-teardown.js",
        },
    ],
    testSequencer: "<rootDir>/test/support/sequencer.js",
    reporters: ["default", "<rootDir>/test/support/summary.js"],
    // One more than cores: end-to-end tests wait for clusters.
    maxWorkers: 3,
    watchman: false,
    // A limit against tests that hang, not against slow machines.
    testTimeout: 600_000,
};
