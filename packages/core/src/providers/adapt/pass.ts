import { type Place, pointerTo } from "../../schema/normal/walk.ts";
import type { JsonSchema } from "../../schema/schema.ts";

/** Something the adapted schema no longer says. The original schema still does, and every call is checked against it. */
export interface Loss {
  /** A JSON pointer to the place: "/properties/age/minimum" is told as path "/properties/age" and keyword "minimum". */
  readonly path: string;
  readonly keyword: string;
  /** "dropped, and told in the description": what became of it. */
  readonly note: string;
}

/**
 * One step on the way to a vendor's schema, from a schema in normal form.
 * Contract: what was valid before is valid after (undeclared keys of an object that does not say whether it is open are set
 * apart); whatever the new schema no longer refuses is told to `lose`.
 */
export type AdaptPass = (schema: JsonSchema, context: AdaptContext) => JsonSchema;

export interface AdaptContext {
  readonly losses: Loss[];
  lose(place: Place | undefined, keyword: string, note: string): void;
}

export function createContext(): AdaptContext {
  const losses: Loss[] = [];
  const told = new Set<string>();
  return {
    losses,
    lose(place, keyword, note) {
      const path = pointerTo(place);
      if (told.has(`${path} ${keyword}`)) return;
      told.add(`${path} ${keyword}`);
      losses.push({ path, keyword, note });
    },
  };
}
