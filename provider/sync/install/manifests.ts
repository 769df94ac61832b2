/** Everything that installs the controller, in the order in which it is applied. */
import { stringify } from "yaml";
import { bindingDefinition } from "../binding/crd";
import {
    bindingsRole,
    clusterRole,
    leaseRole,
    namespaceObject,
    profileRole,
    roleBindings,
    serviceAccount,
} from "./access";
import { type InstallOptions, withDefaults } from "./options";
import { deployment, disruptionBudget, networkPolicy } from "./workload";

/** The objects of an installation, by name. The network policy is absent unless it is asked for. */
export function installObjects(options: InstallOptions) {
    const install = withDefaults(options);
    const bindings = roleBindings(install);
    return {
        definition: bindingDefinition(),
        namespace: namespaceObject(install),
        serviceAccount: serviceAccount(install),
        clusterRole: clusterRole(install),
        clusterRoleBinding: bindings.cluster,
        role: leaseRole(install),
        roleBinding: bindings.lease,
        profileRole: profileRole(install),
        profileRoleBinding: bindings.profile,
        bindingsRole: bindingsRole(install),
        deployment: deployment(install),
        disruptionBudget: disruptionBudget(install),
        ...(install.networkPolicy ? { networkPolicy: networkPolicy(install) } : {}),
    };
}

/** To kubectl, which reads YAML 1.1, a bare `on` is no text. */
const YAML_OPTIONS = { aliasDuplicateObjects: false, lineWidth: 0, compat: "yaml-1.1" } as const;

/** The same as YAML. */
export const installManifests = (options: InstallOptions): string =>
    Object.values(installObjects(options))
        .map((object) => stringify(object, YAML_OPTIONS))
        .join("---\n");
