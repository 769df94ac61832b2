/** An answer of the cloud, before it is read. */
export type Json = { readonly [key: string]: unknown };
