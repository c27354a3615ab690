import type { Expression, SqlBool } from "kysely";
import type { Sql } from "./tables.ts";

/** Where the engines differ; everything else is one set of queries. */
export interface SqlParts {
  readonly kind: "sqlite" | "postgres";
  /** Column types for whole numbers up to 2^53, for texts that are compared byte by byte, and for fractions. */
  readonly types: { readonly big: string; readonly bytes: string; readonly real: string };
  /** Whether a row that is read has to be locked by name; elsewhere the transaction locks everything. */
  readonly locksRows: boolean;
  /** Makes whatever the search for words needs. */
  createWords(db: Sql): Promise<void>;
  saveWords(db: Sql, position: number, terms: readonly string[]): Promise<void>;
  /** The column of `words` that names the record. */
  readonly wordPosition: string;
  /** Holds for a row of `words` that has, for each term, a word that begins so. */
  hasWords(terms: readonly string[]): Expression<SqlBool>;
  /** Whether to ask first if few records have the words: an engine that does not know may walk past all the others to find them. */
  readonly asksForFew: boolean;
}
