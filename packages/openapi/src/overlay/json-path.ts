/** One step of a JSONPath (RFC 9535): what it selects, of the value itself or of everything below it, too. */
export interface Segment {
  readonly isDescendant: boolean;
  readonly selectors: readonly Selector[];
}

export type Selector =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "slice"; readonly start: number | undefined; readonly end: number | undefined; readonly step: number }
  | { readonly kind: "all" }
  | { readonly kind: "filter"; readonly filter: Filter };

/** A condition on a node, as a tree. */
export type Filter =
  | { readonly kind: "or" | "and"; readonly parts: readonly Filter[] }
  | { readonly kind: "not"; readonly part: Filter }
  | { readonly kind: "exists"; readonly query: Query }
  | { readonly kind: "test"; readonly call: FunctionCall }
  | { readonly kind: "compare"; readonly operator: string; readonly left: Operand; readonly right: Operand };

export interface Query {
  /** "$" is the whole document, "@" the node. */
  readonly from: "$" | "@";
  readonly segments: readonly Segment[];
}

export interface FunctionCall {
  readonly name: "length" | "count" | "match" | "search" | "value";
  readonly args: readonly Operand[];
}

export type Operand =
  | { readonly kind: "literal"; readonly value: unknown }
  | { readonly kind: "query"; readonly query: Query }
  | { readonly kind: "call"; readonly call: FunctionCall };
