/** Every rule, in the order of the documentation. */

import type { Rule } from "../rule";
import { companions as annotationsCompanions } from "./annotations/companions";
import { effects as annotationsEffects } from "./annotations/effects";
import { exclusions as annotationsExclusions } from "./annotations/exclusions";
import { legacy as annotationsLegacy } from "./annotations/legacy";
import { undocumented as annotationsUndocumented } from "./annotations/undocumented";
import { undocumentedValues as annotationsUndocumentedValues } from "./annotations/undocumented-values";
import { unsupported as annotationsUnsupported } from "./annotations/unsupported";
import { scope as annotationsScope } from "./annotations/scope";
import { service as annotationsService } from "./annotations/service";
import { values as annotationsValues } from "./annotations/values";
import { version as annotationsVersion } from "./annotations/version";
import { finalizers as lifecycleFinalizers } from "./lifecycle/finalizers";
import { preserve as lifecyclePreserve } from "./lifecycle/preserve";
import { preserveValue as lifecyclePreserveValue } from "./lifecycle/preserve-value";
import { twice as lifecycleTwice } from "./lifecycle/twice";
import { type as lifecycleType } from "./lifecycle/type";
import { createOnly as immutabilityCreateOnly } from "./immutability/create-only";
import { interrupts as changeInterrupts } from "./change/interrupts";
import { protectedAddress as addressProtected } from "./address/protected";
import { released as addressReleased } from "./address/released";
import { addressType as reuseAddressType } from "./reuse/address-type";
import { apiServer as reuseApiServer } from "./reuse/api-server";
import { changed as reuseChanged } from "./reuse/changed";
import { consequences as reuseConsequences } from "./reuse/consequences";
import { forceOverride as reuseForceOverride } from "./reuse/force-override";
import { groups as reuseGroups } from "./reuse/groups";
import { madeByCluster as reuseMadeByCluster } from "./reuse/made-by-cluster";
import { missingInstance as reuseMissingInstance } from "./reuse/missing-instance";
import { names as reuseNames } from "./reuse/names";
import { occupied as reuseOccupied } from "./reuse/occupied";
import { otherVpc as reuseOtherVpc } from "./reuse/other-vpc";
import { portClaimed as reusePortClaimed } from "./reuse/port-claimed";
import { unfitInstance as reuseUnfitInstance } from "./reuse/unfit-instance";
import { emptyList as exposureEmptyList } from "./exposure/empty-list";
import { open as exposureOpen } from "./exposure/open";
import { tls as exposureTls } from "./exposure/tls";
import { critical as protectionCritical } from "./protection/critical";
import { switchedOff as protectionSwitchedOff } from "./protection/switched-off";
import { hostname as accessHostname } from "./access/hostname";
import { http as accessHttp } from "./access/http";
import { local as accessLocal } from "./access/local";
import { proxyProtocol as accessProxyProtocol } from "./access/proxy-protocol";
import { nodePortTwice as backendsNodePortTwice } from "./backends/node-port-twice";
import { nodePorts as backendsNodePorts } from "./backends/node-ports";
import { persistence as backendsPersistence } from "./backends/persistence";
import { scheduler as backendsScheduler } from "./backends/scheduler";
import { sourceAddress as backendsSourceAddress } from "./backends/source-address";
import { unchecked as backendsUnchecked } from "./backends/unchecked";
import { clusterPolicy as edgeClusterPolicy } from "./edge/cluster-policy";
import { attachments as quotaAttachments } from "./quota/attachments";
import { backends as quotaBackends } from "./quota/backends";
import { listeners as quotaListeners } from "./quota/listeners";
import { ownerMarks as namingOwnerMarks } from "./naming/owner-marks";
import { ownerTags as namingOwnerTags } from "./naming/owner-tags";

export const RULES: readonly Rule[] = [
    annotationsCompanions,
    annotationsEffects,
    annotationsExclusions,
    annotationsLegacy,
    annotationsUndocumented,
    annotationsUndocumentedValues,
    annotationsUnsupported,
    annotationsScope,
    annotationsService,
    annotationsValues,
    annotationsVersion,
    lifecycleFinalizers,
    lifecyclePreserve,
    lifecyclePreserveValue,
    lifecycleTwice,
    lifecycleType,
    immutabilityCreateOnly,
    changeInterrupts,
    addressReleased,
    addressProtected,
    reuseAddressType,
    reuseApiServer,
    reuseChanged,
    reuseConsequences,
    reuseForceOverride,
    reuseGroups,
    reuseMadeByCluster,
    reuseMissingInstance,
    reuseNames,
    reuseOccupied,
    reuseOtherVpc,
    reusePortClaimed,
    reuseUnfitInstance,
    exposureEmptyList,
    exposureOpen,
    exposureTls,
    protectionCritical,
    protectionSwitchedOff,
    accessHostname,
    accessHttp,
    accessLocal,
    accessProxyProtocol,
    backendsNodePorts,
    backendsNodePortTwice,
    backendsPersistence,
    backendsScheduler,
    backendsSourceAddress,
    backendsUnchecked,
    edgeClusterPolicy,
    quotaAttachments,
    quotaBackends,
    quotaListeners,
    namingOwnerMarks,
    namingOwnerTags,
];
