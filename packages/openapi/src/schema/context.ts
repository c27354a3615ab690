import type { JsonObject } from "@toolrack/json-schema/internal";
import type { DocumentScope, References } from "../document/references.ts";
import type { SpecVersion } from "../document/version.ts";

/** Whether a schema describes what is sent or what is answered: readOnly properties leave the input, writeOnly ones the output. */
export type Direction = "input" | "output";

/** What all schemas of one document and direction share. */
export interface SchemaContext {
  readonly version: SpecVersion;
  readonly direction: Direction;
  readonly references: References;
  readonly descriptionLength: number;
  /** Tells what was repaired or dropped, once for each sentence. */
  warn(message: string): void;
}

/** A schema of the document, and the document whose references it has. */
export interface Located {
  readonly schema: unknown;
  readonly scope: DocumentScope;
}

export interface ConvertedSchema {
  /** In 2020-12; references point into `$defs`. */
  readonly schema: JsonObject | boolean;
  /** The names in `$defs` that it refers to directly. */
  readonly uses: ReadonlySet<string>;
}
