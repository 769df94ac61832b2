/**
 * The direction of imports, enforced by `make unit` and drawn into docs/internal/architecture.md by `make docs`.
 *
 * A folder of a list may use those before it and none after it. There are no circles between files.
 */
const ROOMS = [
    "host",
    "schema",
    "quotas",
    "diagnostics",
    "net",
    "service",
    "cluster",
    "cloud",
    "clb",
    "nlb",
    "backends",
    "plan",
    "resources",
    "sync",
];

const TEST = "\\.test\\.ts$";
/**
 * Pure parts of provider/: plain data in, plain data out, no Pulumi. The files of clb/ and nlb/ also read and write, with
 * a `Cloud` that the caller gives them.
 */
const PURE = "^provider/(schema|quotas|diagnostics|service|clb|nlb|plan)/|^provider/backends/(?!apply)";
/** What pure parts take from the client: types, schemas of answers, pages and errors. */
const WITHOUT_TRANSPORT =
    "^provider/(cloud/(diagnose|diagnoses/.*|security-group|http/(answer|cloud|error|page))|net/(clock|redact))\\.ts$";

/** The rooms of components/, in the same order. */
const COMPONENT_ROOMS = ["run", "cluster", "service", "clb", "nlb", "adoption", "stack", "plugin", "mocks"];

const directionIn = (part, rooms) =>
    rooms.slice(0, -1).map((room, index) => ({
        name: `${part}-${room}`,
        comment: `${part}/${room} uses only what comes before it: ${rooms.slice(0, index).join(", ") || `nothing of ${part}/`}`,
        severity: "error",
        from: { path: `^${part}/${room}/`, pathNot: TEST },
        to: { path: `^${part}/(${rooms.slice(index + 1).join("|")})/` },
    }));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
    forbidden: [
        ...directionIn("provider", ROOMS),
        ...directionIn("components", COMPONENT_ROOMS),
        {
            name: "no-circles",
            comment: "Two files that import each other are one file, or lack a third.",
            severity: "error",
            from: {},
            to: { circular: true },
        },
        {
            name: "pulumi-in-resources-only",
            comment: "Every host uses provider/: no Pulumi outside its dynamic resources.",
            severity: "error",
            from: { path: "^provider/", pathNot: "^provider/resources/" },
            to: { path: "(^|node_modules/)@pulumi/" },
        },
        {
            name: "pure-has-no-network",
            comment: "The pure folders read no files, open no sockets and know no SDK.",
            severity: "error",
            from: { path: `${PURE}|${WITHOUT_TRANSPORT}`, pathNot: `${TEST}|^provider/service/manifests/files\\.ts$` },
            to: { path: "^(node:)?(fs|http|https|child_process|tls)$|@alicloud/|@kubernetes/client-node" },
        },
        {
            name: "pure-has-no-transport",
            comment: "Building and comparing loads no client: readers get theirs from the caller.",
            severity: "error",
            from: { path: PURE, pathNot: TEST },
            to: {
                path: "^provider/(cloud|net|cluster)/",
                pathNot: WITHOUT_TRANSPORT,
            },
        },
        {
            name: "lab-stands-alone",
            comment: "The lab shares no code with the product, so that it cannot agree with it by accident.",
            severity: "error",
            from: { path: "^lab/" },
            to: { path: "^(provider|components|policies|cli)/" },
        },
        {
            name: "product-stands-alone",
            comment: "What ships imports neither the lab nor tools, figures, tests or examples.",
            severity: "error",
            from: { path: "^(provider|components|policies|cli)/", pathNot: TEST },
            to: { path: "^(lab|tools|bench|test|examples)/" },
        },
        {
            name: "nobody-imports-the-plugin",
            comment: "The plugin is a process of its own, which stands on the components and the handlers.",
            severity: "error",
            from: { path: "^(provider|components|policies|cli)/", pathNot: "^components/plugin/" },
            to: { path: "^components/plugin/" },
        },
        {
            name: "parts-of-the-lab-stand-alone",
            comment:
                "Plugins, cloud and cluster share no code but how certificates are made, zones are named and programs are built; only the lab's front knows them all.",
            severity: "error",
            from: { path: "^lab/(cloud|cluster)/" },
            to: { path: "^lab/", pathNot: "^lab/($1|build|regions|tls)/" },
        },
        {
            name: "plugins-of-the-lab-share-their-server",
            comment: "The stand-ins for plugins share how they are served, and nothing else.",
            severity: "error",
            from: { path: "^lab/(alicloud|kubernetes|plugin-server)/" },
            to: { path: "^lab/", pathNot: "^lab/(($1|build|plugin-server|regions|tls)/|local-server[.])" },
        },
        {
            name: "policies-load-no-sdk",
            comment:
                "A policy pack starts with every preview: it uses the pure folders, its own process and the types of the policy SDK.",
            severity: "error",
            from: { path: "^policies/", pathNot: TEST },
            to: {
                path: "^components/|^provider/",
                pathNot: `${PURE}|^provider/host/|^provider/node|^provider/net/redact`,
            },
        },
        {
            name: "nobody-imports-the-commands",
            comment: "Commands stand on everything else: users of the library load none of them.",
            severity: "error",
            from: { path: "^(provider|components|policies)/", pathNot: TEST },
            to: { path: "^cli/" },
        },
        {
            name: "commands-need-no-pulumi",
            comment: "A command runs where Pulumi is not installed.",
            severity: "error",
            from: { path: "^cli/", pathNot: TEST },
            to: { path: "^components/|^provider/resources/|(^|node_modules/)@pulumi/" },
        },
    ],
    options: {
        doNotFollow: { path: "node_modules" },
        exclude: { path: "(^|/)(testdata|dist)/" },
        tsConfig: { fileName: "tsconfig.json" },
        tsPreCompilationDeps: true,
        enhancedResolveOptions: {
            extensions: [".ts", ".js", ".json"],
            exportsFields: ["exports"],
            conditionNames: ["require", "node", "default"],
        },
        reporterOptions: {
            mermaid: { minify: false },
        },
    },
};
