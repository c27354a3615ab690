import type { Expression, RawBuilder, SqlBool } from "kysely";
import type { Sql } from "./tables.ts";

/** Where the engines differ; everything else is one set of queries. */
export interface SqlParts {
  readonly kind: "sqlite" | "postgres";
  /** Column types for whole numbers up to 2^53, for texts that are compared byte by byte, and for fractions. */
  readonly types: { readonly big: string; readonly bytes: string; readonly real: string };
  /** Whether a row that is read has to be locked by name; elsewhere the transaction locks everything. */
  readonly locksRows: boolean;
  /** The time of the database, in milliseconds since 1970. */
  readonly now: RawBuilder<number>;
  /** How many rows one run of an `insert` takes where that has to be known; those that are left over are put in one by one. */
  readonly rowsAtOnce?: number;
  /** What follows the columns of an `insert` that takes so many rows at once, and the parameters that it is then given. */
  rowValues(kinds: readonly ColumnKind[], atOnce: number): RawBuilder<unknown>;
  rowParameters(rows: readonly (readonly unknown[])[], atOnce: number): readonly unknown[];
  /** A list of numbers as one parameter, for `in`. */
  wholeNumbers(numbers: readonly number[]): RawBuilder<number>;
  /** A list of texts as one parameter, for `in`; a compiled query is then given the parameter for other texts. */
  textList(texts: readonly string[]): RawBuilder<string>;
  textsParameter(texts: readonly string[]): unknown;
  /** Makes the first form of what the search for words needs. */
  createWords(db: Sql): Promise<void>;
  /** Makes the present form, empty, where that is another. */
  readonly replaceWords?: (db: Sql) => Promise<void>;
  /** Gives records other words, or none. */
  createWordWriter(db: Sql): (words: readonly RecordWords[]) => Promise<void>;
  /** The rows of `words` above a position that have all of the words, found by the index; in no order. */
  indexedWords(terms: readonly WordTerm[], after: number): RawBuilder<unknown>;
  /** Holds for a row of `words` that has all of the words; answered by looking at the row. */
  rowHasWords(terms: readonly WordTerm[]): Expression<SqlBool>;
}

/** The content of a column. */
export type ColumnKind = "whole" | "fraction" | "text";

/** The words of the record at a position. */
export interface RecordWords {
  readonly position: number;
  readonly terms: readonly string[];
}

/** A word, or the beginning of one. */
export interface WordTerm {
  readonly word: string;
  readonly isWhole: boolean;
}
