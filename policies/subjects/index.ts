export * from "./known";
export * from "./resource";
export { serviceOfManifest, serviceOfResource, type ServiceSubject } from "./service";
export { type ServiceEntry, stackOf, type StackSubject } from "./stack";
