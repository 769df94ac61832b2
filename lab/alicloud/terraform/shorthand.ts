/** Short forms for writing attribute descriptions down. */
import type { Schema, SchemaMap } from "./schema";

type Flags = Omit<Schema, "type" | "elem" | "fields">;

export const text = (flags: Flags): Schema => ({ type: "string", ...flags });
export const whole = (flags: Flags): Schema => ({ type: "int", ...flags });
export const flag = (flags: Flags): Schema => ({ type: "bool", ...flags });
export const texts = (flags: Flags): Schema => ({ type: "list", elem: { type: "string" }, ...flags });
export const textSet = (flags: Flags): Schema => ({ type: "set", elem: { type: "string" }, ...flags });
export const map = (flags: Flags): Schema => ({ type: "map", ...flags });
export const list = (fields: SchemaMap, flags: Flags): Schema => ({ type: "list", fields, ...flags });
export const set = (fields: SchemaMap, flags: Flags): Schema => ({ type: "set", fields, ...flags });

export const required: Flags = { required: true };
export const optional: Flags = { optional: true };
/** Given by the user or by the cloud. */
export const either: Flags = { optional: true, computed: true };
/** Given by the cloud only. */
export const output: Flags = { computed: true };
/** A change replaces the resource. */
export const fixed = (flags: Flags): Flags => ({ ...flags, forceNew: true });
