/** Something the adapted schema no longer says. The original schema still does, and every call is checked against it. */
export interface Loss {
  /** A JSON pointer to the schema that lost it: the loss of "/properties/age/minimum" has the path "/properties/age". */
  readonly path: string;
  /** The keyword that was lost: "minimum". */
  readonly keyword: string;
  /** What became of it: "dropped, and noted in the description". */
  readonly note: string;
}
