/** The subjects of rules. */
export { isKnown, isUnknownError, known, UnknownInputError, settle, type Settled, settledOf, Unknown } from "./known";
export type { PreviewResource, ResourceSubject } from "./resource";
export { isInsideComponent, resourceOf, TEXT_LIST, TEXTS } from "./resource";
export { type ServingController, serviceOfManifest, serviceOfResource, type ServiceSubject } from "./service";
export type { AccessList, GroupMembership, InstanceAttachment, ServiceEntry, StackSubject } from "./stack";
export { stackOf } from "./stack";
