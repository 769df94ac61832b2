/**
 * A program that runs another one inside itself, as platforms do (Automation API): up, up again, and up of a program that is refused, in a single process. Every run has to do what the first one does.
 */
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const { Cluster, ServiceLoadBalancer } = require("ack-loadbalancer");

async function program() {
    const cluster = new Cluster({ clusterId: "c-inline" });
    const { address } = new ServiceLoadBalancer("inline", {
        cluster,
        service: {
            name: "inline",
            selector: { app: "shop" },
            ports: [{ port: 80, targetPort: 8080 }],
            externalTrafficPolicy: "Local",
        },
        settings: { scheduler: "rr" },
    });
    return { address };
}

/** One Service that could be made, and one without ports. */
async function refused() {
    const cluster = new Cluster({ clusterId: "c-inline" });
    const selector = { app: "shop" };
    const ports = [{ port: 80, targetPort: 8080 }];
    new ServiceLoadBalancer("one", { cluster, service: { name: "one", selector, ports } });
    new ServiceLoadBalancer("two", { cluster, service: { name: "two", selector } });
}

async function main() {
    const stack = await LocalWorkspace.createOrSelectStack(
        { stackName: "dev", projectName: "inline", program },
        { workDir: process.cwd() },
    );
    const onOutput = (text) => process.stdout.write(text);
    await stack.up({ onOutput });
    await stack.up({ onOutput, expectNoChanges: true });
    const refusing = await LocalWorkspace.createOrSelectStack(
        { stackName: "dev", projectName: "inline", program: refused },
        { workDir: process.cwd() },
    );
    const ended = await refusing.up().catch(({ message }) => message);
    process.stdout.write(`refused: ${ended}\n`);
}

main().catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
});
