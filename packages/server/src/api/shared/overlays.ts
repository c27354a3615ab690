import { overlaySchema } from "../../config/overlay.ts";
import type { SchemaOf } from "../../http/route.ts";
import type { OverlayInfo } from "../../rack/trust/overlay-info.ts";
import { listOf, objectOf } from "../_answers.ts";

const text = { type: "string" } as const;

export const overlayInfoSchema: SchemaOf<OverlayInfo> = objectOf<OverlayInfo>(
  {
    sourceId: text,
    source: { ...text, description: "The identity of the source." },
    tool: { ...text, description: "The name at the source." },
    shownAs: { ...text, description: "The name here." },
    // What an admin lets a tool show again may be all that was said of it.
    overlay: { ...(overlaySchema as { readonly type: "object" }), minProperties: 0 },
    origin: { ...text, description: "The line of the configuration, or the record, that it comes from." },
    over: { ...text, description: "The line of the configuration file that a record is laid over." },
    loosens: {
      ...listOf<string>(text),
      description:
        "Where it allows what the file, or what was said before, does not, as JSON pointers into the overlay. Only admins set that.",
    },
    state: {
      enum: ["applied", "stale", "unfit", "unused"],
      description: "unfit: it cannot be applied, so the tool is not served. unused: the source does not list the tool now.",
    },
    stale: { ...listOf<string>(text), description: "Fields of the original that changed after the overlay was made." },
    problem: text,
    unconfirmed: { const: true, description: "Its name and groups do not count for `allow`: no admin made or confirmed it." },
    by: text,
    at: text,
    reason: text,
  },
  ["over", "problem", "unconfirmed", "by", "at", "reason"],
);
