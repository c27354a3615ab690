/** Where a value is found when the branches of a region join, or when a function is applied. */
export type Root =
  | { readonly kind: "local"; readonly slot: number }
  | { readonly kind: "env"; readonly hops: number; readonly slot: number }
  | { readonly kind: "param"; readonly index: number }
  | { readonly kind: "this" };

/** A value that can be reached by name. */
export interface Way {
  readonly root: Root;
  /** From the root to the value. */
  readonly path: readonly string[];
  /** Any value that can be reached from there, not that one alone. */
  readonly deep: boolean;
}

/** What is written of an object. */
export interface Mutation {
  /** The key that is written; without it, any. */
  readonly key?: string;
  /** Only its length or keys change. */
  readonly grows?: boolean;
  /** The key may be gone afterwards. */
  readonly removes?: boolean;
  /** By a method of the language, which plain objects do not have. */
  readonly builtIn?: boolean;
}

/** Something that a region or a function may do to what lies outside of it. */
export type Effect =
  /** A variable is assigned. */
  | { readonly kind: "variable"; readonly root: Root }
  /** An object is written. */
  | ({ readonly kind: "write"; readonly on: Way } & Mutation)
  /** A function is called, whose own effects are known when the value is. */
  | { readonly kind: "call"; readonly callee: Way; readonly self: readonly Way[]; readonly args: readonly (readonly Way[])[] };
