/** What rules look at. */
export { isKnown, isNotKnown, known, NotKnownError, settle, type Settled, settledOf, Unknown } from "./known";
export { isInsideComponent, type ResourceSubject, resourceOf, type ShownResource } from "./resource";
export { type Controller, serviceOfManifest, serviceOfResource, type ServiceSubject } from "./service";
export {
    type AccessList,
    type Belonging,
    type Membership,
    type PlacedService,
    stackOf,
    type StackSubject,
} from "./stack";
