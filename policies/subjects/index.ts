export * from "./known";
export * from "./resource";
export { readerOf, serviceOfManifest, type ServiceReader, type ServiceSubject } from "./service";
export { type ServiceEntry, stackOf, type StackSubject } from "./stack";
