/** A mistake that users of the library make, as they would write it. The files of `cases/` may have errors of types: that is what they are for. */
export interface Mistake {
  /** Unique: "a raw Zod shape as inputSchema". */
  readonly title: string;
  /** What runs when the program starts: definitions, options, registration. */
  readonly define: () => unknown;
  /** What runs later, with what `define` returned. */
  // Any: each case says what it takes.
  readonly call?: (defined: any) => unknown;
}
