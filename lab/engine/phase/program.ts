import { LanguageRuntimeClient } from "@pulumi/pulumi/proto/language_grpc_pb";
import { ProgramInfo, RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { ORGANIZATION } from "../backend";
import { ReportedFailure } from "../deploy";
import type { RunFacts } from "../monitor";
import { call, connect, NodeProgram, type LineSink } from "../plugin";
import type { RunRequestOptions } from "./request";

/** The user's program: a process of its own, or a language host that runs elsewhere. */
export class Program {
    private process: NodeProgram | undefined;

    constructor(
        private readonly r: RunRequestOptions,
        private readonly lines: LineSink,
    ) {}

    /** Ends the process, whatever it does. */
    end(): void {
        this.process?.end();
    }

    /**
     * Runs the program to its end.
     * @param address of the engine and the monitor
     * @throws ReportedFailure if it has failed and said why, Error if not
     */
    async run(address: string, facts: RunFacts): Promise<void> {
        const { r } = this;
        if (r.client !== undefined) return this.runElsewhere(r.client, address, facts);
        this.process = new NodeProgram(
            {
                root: r.root,
                pwd: r.pwd,
                main: r.main,
                project: r.project,
                stack: r.stack,
                organization: ORGANIZATION,
                preview: facts.preview,
                parallel: r.options.parallel,
                monitorAddress: address,
                engineAddress: address,
                config: facts.config,
                secretKeys: facts.secretKeys,
                runtimeOptions: r.runtimeOptions,
            },
            this.lines,
        );
        const result = await this.process.result;
        if (result.ok) return;
        throw result.reported ? new ReportedFailure("the program has failed") : new Error(result.message);
    }

    /** Asks a language host that is already running to run its program. */
    private async runElsewhere(client: string, address: string, facts: RunFacts): Promise<void> {
        const host = connect(LanguageRuntimeClient, client);
        const q = new RunRequest();
        q.setProject(facts.project);
        q.setStack(facts.stack);
        q.setOrganization(facts.organization);
        q.setPwd(this.r.pwd);
        q.setProgram(this.r.main);
        q.setArgsList([address]);
        for (const [k, v] of facts.config) q.getConfigMap().set(k, v);
        q.setConfigsecretkeysList([...facts.secretKeys]);
        q.setDryrun(facts.preview);
        q.setParallel(facts.parallel);
        q.setMonitorAddress(address);
        const info = new ProgramInfo();
        info.setRootDirectory(this.r.root);
        info.setProgramDirectory(this.r.pwd);
        info.setEntryPoint(this.r.main);
        q.setInfo(info);
        try {
            const a = await call(host, host.run, q);
            if (a.getBail()) throw new ReportedFailure("the program has failed");
            if (a.getError() !== "") throw new Error(`an unhandled error occurred: ${a.getError()}`);
        } finally {
            host.close();
        }
    }
}
