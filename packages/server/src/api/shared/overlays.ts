import { overlaySchema } from "../../config/overlay.ts";
import type { SchemaOf } from "../../http/route.ts";
import type { OverlayInfo } from "../../rack/trust/overlays.ts";
import { listOf, objectOf } from "../_answers.ts";

const text = { type: "string" } as const;

export const overlayInfoSchema: SchemaOf<OverlayInfo> = objectOf<OverlayInfo>(
  {
    sourceId: text,
    source: { ...text, description: "The identity of the source." },
    tool: { ...text, description: "The name at the source." },
    shownAs: { ...text, description: "The name here." },
    overlay: overlaySchema as { readonly type: "object" },
    origin: { ...text, description: "The line of the configuration, or the record, that it comes from." },
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
  ["problem", "unconfirmed", "by", "at", "reason"],
);
