import { shellWord } from "@toolrack/core/internal/shell-word";
import type { Caller, Registry } from "@toolrack/core";
import type { Overlays } from "./overlays.ts";
import type { Trust, WaitingDefinition } from "./trust.ts";

export interface HeldParts {
  readonly trust: Pick<Trust, "held" | "heldAt">;
  readonly registry: Pick<Registry, "view">;
  readonly overlays: Pick<Overlays, "calledSo">;
}

/** What a call of a tool is told that is not served because its definition waits. Undefined for other names, and for callers who may not know of it. */
export function heldAnswer(
  { trust, registry, overlays }: HeldParts,
  name: string,
  caller: Caller,
): { readonly code: "TOOL_HELD"; readonly error: string } | undefined {
  const held = trust.held(name) ?? heldBelow(trust, overlays, name);
  if (held === undefined || !registry.view(caller).decisionAbout({ name }).allowed) return undefined;
  return { code: "TOOL_HELD", error: heldSentence(held, name) };
}

/** A tool that has this name from an overlay alone. */
function heldBelow(trust: HeldParts["trust"], overlays: HeldParts["overlays"], name: string): WaitingDefinition | undefined {
  for (const origin of overlays.calledSo(name)) {
    const held = trust.heldAt(origin);
    if (held !== undefined) return held;
  }
  return undefined;
}

/** Says source, fields and the next step. No words of the definition itself: a model reads this. */
export function heldSentence({ tool, source, reason, changes, refused }: WaitingDefinition, shownAs: string = tool): string {
  const fields = [...new Set(changes.map(({ path }) => fieldOf(path)))].join(", ");
  const fact = reason === "new" ? "is new" : `has changed (${fields === "" ? "its stored definition is damaged" : fields})`;
  const next =
    refused === true ? "A person refused this definition." : `A person has to look at it first: toolrack approve ${shellWord(tool)}`;
  return `Tool "${shownAs}" is held: its definition ${fact} at the source "${source}". ${next}`;
}

const fields: ReadonlySet<string> = new Set([
  "name",
  "title",
  "description",
  "inputSchema",
  "outputSchema",
  "annotations",
  "icons",
  "_meta",
  "version",
  "request",
]);

/** "/inputSchema/properties/limit" → "inputSchema". Names that the upstream chose are not repeated. */
function fieldOf(path: string): string {
  const [, first = ""] = path.split("/");
  return fields.has(first) ? first : "another field";
}
