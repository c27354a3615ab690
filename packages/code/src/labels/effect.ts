/** Where a written object is found when the branches of a region join. */
export type Root =
  | { readonly kind: "local"; readonly slot: number }
  | { readonly kind: "env"; readonly hops: number; readonly slot: number }
  | { readonly kind: "this" };

/** Something that a region or a function may write. */
export type Effect =
  /** A variable is assigned. */
  | { readonly kind: "variable"; readonly root: Root }
  /** An object is written. */
  | {
      readonly kind: "object";
      readonly root: Root;
      /** The way from the root to the object. */
      readonly path: readonly string[];
      /** Any object that can be reached from there, not that one alone. */
      readonly deep: boolean;
      /** The key that is written; without it, any. */
      readonly key?: string;
      /** Only its length or keys change. */
      readonly grows?: boolean;
    };
