import * as fs from "node:fs";
import * as net from "node:net";
import type { AddressInfo } from "node:net";
import * as path from "node:path";
import { parse, stringify } from "yaml";
import type { Session } from "../../lab";

interface Kubeconfig {
    readonly clusters: readonly { readonly cluster: { server: string } }[];
}

/** Stands between programs and the API server, which can go away and come back. */
export class Gate {
    /** Connections that nobody took, since the API server went away. */
    refused = 0;
    #away = false;
    readonly #sockets = new Set<net.Socket>();
    readonly #server: net.Server;

    private constructor(target: URL) {
        this.#server = net.createServer((inside) => {
            if (this.#away) {
                this.refused++;
                inside.destroy();
                return;
            }
            const outside = net.connect(Number(target.port), target.hostname);
            for (const [one, other] of [
                [inside, outside],
                [outside, inside],
            ] as const) {
                this.#sockets.add(one);
                one.pipe(other);
                // The end of either side ends the other.
                one.on("error", () => other.destroy()).on("close", () => this.#sockets.delete(one) && other.destroy());
            }
        });
    }

    /** @returns the gate, and a kubeconfig that leads through it */
    static async open(session: Session): Promise<{ readonly gate: Gate; readonly kubeconfig: string }> {
        const config = parse(fs.readFileSync(session.lab.variables["KUBECONFIG"] ?? "", "utf8")) as Kubeconfig;
        const cluster = config.clusters[0]?.cluster;
        if (cluster === undefined) throw new Error("the lab's kubeconfig names no cluster");
        const gate = new Gate(new URL(cluster.server));
        await new Promise<void>((resolve) => gate.#server.listen(0, "127.0.0.1", resolve));
        const inFront = new URL(cluster.server);
        inFront.port = String((gate.#server.address() as AddressInfo).port);
        cluster.server = inFront.href;
        const kubeconfig = path.join(session.lab.dir, "gate.kubeconfig");
        fs.writeFileSync(kubeconfig, stringify(config), { mode: 0o600 });
        return { gate, kubeconfig };
    }

    /** Breaks every connection, and accepts no other. */
    goAway(): void {
        this.#away = true;
        this.refused = 0;
        for (const socket of this.#sockets) socket.destroy();
    }

    comeBack(): void {
        this.#away = false;
    }

    close(): void {
        this.goAway();
        this.#server.close();
    }
}
