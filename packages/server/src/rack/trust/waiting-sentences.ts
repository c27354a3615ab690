import { shellWord } from "@toolrack/core/internal/shell-word";
import { askedKinds } from "./grant-asks.ts";
import type { Grants, WaitingGrant } from "./grants.ts";
import type { Trust, WaitingDefinition } from "./trust.ts";

/** Why a tool that its source lists is not served: its definition or a grant waits for a person. Undefined if neither does. */
export function waitingSentence(
  { trust, grants }: { readonly trust: Pick<Trust, "heldAt">; readonly grants: Pick<Grants, "waitingFor"> },
  { sourceId, tool }: { readonly sourceId: string; readonly tool: string },
  shownAs: string = tool,
): string | undefined {
  const held = trust.heldAt({ sourceId, tool });
  if (held !== undefined) return heldSentence(held, shownAs);
  const grant = grants.waitingFor((one) => one.sourceId === sourceId && one.tool === tool);
  return grant && waitingGrantSentence(grant, shownAs);
}

/** Says source, fields and the next step. No words of the definition itself: a model reads this. */
export function heldSentence({ tool, source, reason, changes, refused }: WaitingDefinition, shownAs: string = tool): string {
  const fields = [...new Set(changes.map(({ path }) => fieldOf(path)))].join(", ");
  const fact = reason === "new" ? "is new" : `has changed (${fields === "" ? "its stored definition is damaged" : fields})`;
  const next =
    refused === true ? "A person refused this definition." : `A person has to look at it first: toolrack approve ${shellWord(tool)}`;
  return `Tool "${shownAs}" is held: its definition ${fact} at the source "${source}". ${next}`;
}

/** Says the kinds of what it asks for, and the next step. No names that the upstream chose: a model reads this. */
export function waitingGrantSentence({ asks, sourceId, tool }: WaitingGrant, shownAs: string): string {
  const next = `toolrack grants add ${shellWord(`${sourceId}/${tool}`)} --reason "why"`;
  return `Tool "${shownAs}" of the source "${sourceId}" waits for a grant: it asks for more than its input (${askedKinds(asks)}). A person has to look at it first: ${next}`;
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
  "wholeDescription",
]);

/** "/inputSchema/properties/limit" → "inputSchema". Names that the upstream chose are not repeated. */
function fieldOf(path: string): string {
  const [, first = ""] = path.split("/");
  return fields.has(first) ? first : "another field";
}
