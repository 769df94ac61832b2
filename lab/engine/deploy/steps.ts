/** All kinds of steps. */
export * from "./step";
export * from "./changesteps";
export * from "./deletesteps";
export * from "./readsteps";
export * from "./importstep";
