import type { Expression, RawBuilder, SqlBool } from "kysely";
import type { Sql } from "./tables.ts";

/** Where the engines differ; everything else is one set of queries. */
export interface SqlParts {
  readonly kind: "sqlite" | "postgres";
  /** Column types for whole numbers up to 2^53, for texts that are compared byte by byte, and for fractions. */
  readonly types: { readonly big: string; readonly bytes: string; readonly real: string };
  /** Whether a row that is read has to be locked by name; elsewhere the transaction locks everything. */
  readonly locksRows: boolean;
  /** A JSON list as rows with one column `item`, and what stands at a place of such an item. */
  jsonItems(json: string): RawBuilder<unknown>;
  jsonItem(index: number, kind: "whole" | "fraction" | "text"): RawBuilder<unknown>;
  /** A list of numbers as one parameter, for `in`. */
  wholeNumbers(numbers: readonly number[]): RawBuilder<number>;
  /** Makes whatever the search for words needs. */
  createWords(db: Sql): Promise<void>;
  saveWords(db: Sql, position: number, terms: readonly string[]): Promise<void>;
  /** The column of `words` that names the record. */
  readonly wordPosition: string;
  /** Holds for a row of `words` that has all of the words; answered by the index. */
  hasWords(terms: readonly WordTerm[]): Expression<SqlBool>;
  /**
   * The same, answered by looking at the row. Absent where the index gives rows in the order of their positions and as they are wanted;
   * elsewhere it may have to collect all rows with a word before it gives the first.
   */
  readonly rowHasWords?: (terms: readonly WordTerm[]) => Expression<SqlBool>;
}

/** A word, or the beginning of one. */
export interface WordTerm {
  readonly word: string;
  readonly isWhole: boolean;
}
