import type { JsonObject } from "@toolrack/json-schema/internal";
import type { References } from "../document/references.ts";
import type { SpecVersion } from "../document/version.ts";
import type { SchemaConverter } from "../schema/convert.ts";
import type { RawOperation } from "./raw-operations.ts";

/** What all operations of a document share. */
export interface ReadContext {
  readonly root: JsonObject;
  readonly version: SpecVersion;
  readonly references: References;
  readonly input: SchemaConverter;
  readonly output: SchemaConverter | undefined;
  readonly url: string | undefined;
  /** Whether requests go elsewhere than the document says. */
  readonly hasBaseUrl: boolean;
  readonly secrets: Readonly<Record<string, string>>;
  readonly preferred: readonly string[];
  /** What the caller of the reader does with a parameter, by its place and name in the document. */
  readonly treat: (raw: RawOperation, place: string, name: string) => Treatment;
  /** Whether any parameter is treated in another way than shown. */
  readonly isTreated: boolean;
  warn(message: string): void;
  /** Tells something about the document, not about an operation. */
  warnAll(message: string): void;
}

/** Shown to models, left out, or sent with a fixed value. */
export type Treatment = "shown" | "hidden" | { readonly pinned: unknown };
