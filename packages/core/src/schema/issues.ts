/** One fault of a value, as data and as a sentence a model can act on. */
export interface Issue {
  /** A JSON pointer into the value: "" is the value itself, "/tags/0/key" a part of it. */
  readonly path: string;
  /** The schema keyword that was broken: "type", "required", "enum" … */
  readonly keyword: string;
  /** "limit must be at most 100, but it is 500." */
  readonly message: string;
  /** What would have been right, in words: "an integer". */
  readonly expected?: string;
  /** What came, shortened: "\"five\"". */
  readonly received?: string;
  /** The nearest right spelling of a property or value. */
  readonly suggestion?: string;
}
