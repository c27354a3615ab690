import { ToolError } from "@toolrack/core";
import type { JsonSchema } from "@toolrack/json-schema";
import { overlaySchema, type ToolOverlay } from "../config/overlay.ts";
import { Problem } from "../http/reply/problem.ts";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import type { OverlayInfo } from "../rack/trust/overlay-info.ts";
import { heldSentence } from "../rack/trust/waiting-sentences.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { overlayInfoSchema } from "./shared/overlays.ts";

export interface OverlayList {
  readonly overlays: readonly OverlayInfo[];
}

export interface OverlayAnswers {
  "GET /overlays": OverlayList;
  "PUT /tools/{name}/overlay": OverlayInfo;
  "DELETE /tools/{name}/overlay": OverlayInfo;
  "POST /tools/{name}/overlay/confirmation": OverlayInfo;
}

const byName = {
  type: "object",
  properties: { name: { type: "string", minLength: 1, maxLength: 600, description: "Its name here, at its source, or source/name." } },
  required: ["name"],
  additionalProperties: false,
} as const;

const list = defineRoute({
  method: "GET",
  path: "/overlays",
  id: "listOverlays",
  group: "trust",
  summary: "List what is changed about tools of others: names, texts, parameters, limits.",
  needs: ["subscriber", "curator", "admin"],
  answers: ok("All overlays.", objectOf<OverlayList>({ overlays: listOf(overlayInfoSchema) })),
  run: ({ rack }) => ({ body: { overlays: rack.overlays.list() } }),
});

const set = defineRoute({
  method: "PUT",
  path: "/tools/{name}/overlay",
  id: "setOverlay",
  group: "trust",
  summary:
    "Set the overlay of a tool from a source. It replaces the record so far and is laid over what the file says. Only admins loosen that, or give a name or groups.",
  needs: ["curator", "admin"],
  params: byName,
  body: {
    type: "object",
    properties: { overlay: overlaySchema as JsonSchema, reason: { type: "string", minLength: 1, maxLength: 500 } },
    required: ["overlay"],
    additionalProperties: false,
  },
  answers: ok("The overlay.", overlayInfoSchema),
  async run({ rack, params, body, identity }) {
    try {
      return { body: await rack.overlays.set(params.name, body.overlay as ToolOverlay, identity, body.reason) };
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      const held = error.code === "TOOL_NOT_FOUND" ? rack.trust.held(params.name) : undefined;
      const { code, status, message } = held === undefined ? error : new ToolError("TOOL_HELD", heldSentence(held));
      throw new Problem(code === "DEFINITION_INVALID" ? 422 : status, code, message);
    }
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/tools/{name}/overlay",
  id: "removeOverlay",
  group: "trust",
  summary: "Remove an overlay: the tool is as its source, or the configuration file, has it. Only admins remove that of an admin.",
  needs: ["curator", "admin"],
  params: byName,
  answers: ok("What was removed.", overlayInfoSchema),
  async run({ rack, params, identity }) {
    const removed = await rack.overlays.remove(params.name, identity);
    if (removed !== undefined) return { body: removed };
    const { origin } = rack.overlays.get(params.name) ?? {};
    throw origin === undefined
      ? noOverlay(params.name)
      : new Problem(409, "STATE_INVALID", `The overlay of "${params.name}" is said in ${origin}. Remove it there.`);
  },
});

const confirm = defineRoute({
  method: "POST",
  path: "/tools/{name}/overlay/confirmation",
  id: "confirmOverlay",
  group: "trust",
  summary: "Confirm that a stale overlay fits the current definition of its tool; as an admin, also its name and groups.",
  needs: ["curator", "admin"],
  params: byName,
  answers: ok("The overlay.", overlayInfoSchema),
  async run({ rack, params, identity }) {
    const confirmed = await rack.overlays.confirm(params.name, identity);
    if (confirmed === undefined) throw noOverlay(params.name);
    return { body: confirmed };
  },
});

function noOverlay(name: string): Problem {
  return new Problem(404, "NOT_FOUND", `There is no overlay of "${name}". See: toolrack overlay list`);
}

export const overlayRoutes: RoutesOf<OverlayAnswers> = [list, set, remove, confirm];
