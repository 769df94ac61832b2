import { DeploymentInfo } from "@pulumi/pulumi/proto/resource_pb";
import { FEATURES } from "./features";

/** Facts of the run that programs can ask for. */
export interface RunFacts {
    project: string;
    stack: string;
    organization: string;
    preview: boolean;
    parallel: number;
    /** Folder of the project file. */
    root: string;
    config: ReadonlyMap<string, string>;
    secretKeys: readonly string[];
}

/** The facts in the form in which a program gets them. */
export function deploymentInfo(facts: RunFacts): DeploymentInfo {
    const a = new DeploymentInfo();
    a.setProject(facts.project);
    a.setStack(facts.stack);
    a.setOrganization(facts.organization);
    a.setDryrun(facts.preview);
    a.setParallel(facts.parallel);
    for (const [k, v] of facts.config) a.getConfigMap().set(k, v);
    a.setConfigsecretkeysList([...facts.secretKeys]);
    a.setSupportedfeaturesList([...FEATURES]);
    return a;
}
