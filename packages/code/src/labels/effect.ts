/** Where a value is found when the branches of a region join, or when a function is applied. */
export type Root =
  | { readonly kind: "local"; readonly slot: number }
  | { readonly kind: "env"; readonly hops: number; readonly slot: number }
  | { readonly kind: "param"; readonly index: number; readonly rest?: boolean }
  | { readonly kind: "this" }
  /** What the program was given. */
  | { readonly kind: "input" }
  /** What the language brings under a name. */
  | { readonly kind: "global"; readonly name: string }
  /** Of a constructor: the class that its own extends, and what sets its own fields. */
  | { readonly kind: "parent" }
  /** A list, object, map or set that is made there. */
  | { readonly kind: "literal"; readonly start: number; readonly of: "list" | "object" | "map" | "set" }
  /** A function that is written there, with the environment that it would have: `above` environments above one that is there, which hold what it names. */
  | {
      readonly kind: "written";
      readonly start: number;
      readonly hops: number;
      readonly above: number;
      readonly held: readonly Held[];
    }
  /** What a call answers: known when the function is. */
  | {
      readonly kind: "result";
      readonly callee: readonly Way[];
      /** The callee is this member of the receiver, or any. */
      readonly method?: string;
      readonly self: readonly Way[];
      readonly args: readonly (readonly Way[])[];
      readonly spread?: number;
    }
  /** There is too much to list, or it cannot be known: any value. */
  | { readonly kind: "unlisted" };

/** What a name may stand for in an environment that is not there: `level` 0 is the one next to those that are. */
export interface Held {
  readonly level: number;
  readonly slot: number;
  readonly values: readonly Way[];
}

/** Steps of a path besides keys: any member, and what a promise ends with. */
export const anyMember = "\0*";
export const awaited = "\0await";
/** Before the name of a method: any of that name in the classes of a value. */
export const inherited = "\0super ";

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
  /** It may be frozen afterwards. */
  readonly freezes?: boolean;
  /** It is gone over: an iterator is further afterwards, and nothing else changes. */
  readonly iterates?: boolean;
  /** By a method of the language, which plain objects do not have. */
  readonly builtIn?: boolean;
}

/** Something that a region or a function may do to what lies outside of it. `late`: when the branch may be over. */
export type Effect =
  /** A variable is assigned; `values` is what it may be set to. */
  (
    | { readonly kind: "variable"; readonly root: Root; readonly values: readonly Way[] }
    /** An object is written; `values` is what it may hold then. */
    | ({ readonly kind: "write"; readonly on: Way; readonly values: readonly Way[] } & Mutation)
    /** A function is called, whose own effects are known when the value is. `any`: each parameter may be any of the arguments, or a part of them. */
    | {
        readonly kind: "call";
        readonly callee: Way;
        readonly self: readonly Way[];
        readonly args: readonly (readonly Way[])[];
        /** The arguments from here on are spread from a list: each parameter from here on may be any of them. */
        readonly spread?: number;
        readonly any?: boolean;
        /** It stands in a `try` of the same branch: what it throws is caught there. */
        readonly caught?: boolean;
      }
    /** There is too much to list: anything may have happened. */
    | { readonly kind: "everything" }
  ) & { readonly late?: boolean };
