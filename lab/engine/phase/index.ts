/** One phase of an operation: what it is asked to do, and how it goes from beginning to end. */
export * from "./phase";
export * from "./request";
