import { shellWord } from "@toolrack/core/internal/shell-word";
import type { OverlayInfo } from "./overlay-info.ts";

/** What a person has to look at in an overlay, as sentences. */
export function problemsOf({ shownAs, state, stale, problem, origin, unconfirmed, by }: OverlayInfo): readonly string[] {
  const confirm = `toolrack overlay confirm ${shellWord(shownAs)}`;
  const said = `${origin}${by === undefined ? "" : `, by ${by}`}`;
  return [
    ...(unconfirmed === true
      ? [
          `The overlay of "${shownAs}" (${said}) gives a name or groups that no admin has confirmed, so lists that allow go by what its source says. Look at it, then, as an admin: ${confirm}`,
        ]
      : []),
    ...(problem === undefined ? [] : [`${problem} (${origin}). The tool is not served until this is mended.`]),
    ...(state === "stale"
      ? [`The overlay of "${shownAs}" (${origin}) is stale: ${stale.join(", ")} changed at the source. Look at it, then: ${confirm}`]
      : []),
  ];
}

/** Where an overlay would allow more than it may, as JSON pointers, in a sentence. */
export function ignoredSentence(shownAs: string, origin: string, ignored: readonly string[]): string {
  return `The overlay of "${shownAs}" (${origin}) would allow what is said before it: ${ignored.join(", ")}. That has no effect. An admin can set it again, or remove it: toolrack overlay remove ${shellWord(shownAs)}`;
}
