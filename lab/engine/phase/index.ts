/** One phase of an operation: its request, and its course from beginning to end. */
export * from "./phase";
export * from "./request";
