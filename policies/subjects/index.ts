/** The subjects of rules. */
export { isKnown, isUnknownError, known, UnknownInputError, settle, type Settled, settledOf, Unknown } from "./known";
export { isInsideComponent, type ResourceSubject, resourceOf, type PreviewResource, TEXTS } from "./resource";
export { type ServingController, serviceOfManifest, serviceOfResource, type ServiceSubject } from "./service";
export {
    type AccessList,
    type InstanceAttachment,
    type GroupMembership,
    type ServiceEntry,
    stackOf,
    type StackSubject,
} from "./stack";
