/** The subjects of rules. */
export {
    isKnown,
    isUnknownError,
    known,
    UnknownInputError,
    settle,
    type Settled,
    settledEach,
    settledOf,
    Unknown,
} from "./known";
export type { PreviewResource, ResourceSubject } from "./resource";
export { isInsideComponent, resourceOf, TEXT_LIST, TEXTS } from "./resource";
export { serviceOfManifest, serviceOfResource, type ServiceSubject } from "./service";
export { type ServiceEntry, stackOf, type StackSubject } from "./stack";
