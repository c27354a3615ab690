import { isObject } from "@toolrack/core/internal";
import { McpError } from "../../errors.ts";
import type { JsonObject } from "../../wire/protocol.ts";
import type { ChangeListener } from "./changes.ts";

/** The subscription of a modern client: as acknowledged, and as a lookup. */
export interface Subscription extends Pick<ChangeListener, "wantsTools" | "wantsPrompts" | "wantsResources" | "wantsResource"> {
  readonly wanted: JsonObject;
}

export function readSubscription(params: JsonObject): Subscription {
  const { notifications } = params;
  if (!isObject(notifications)) throw new McpError("invalidParams", "notifications must be an object that says what to listen for.");
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions } = notifications;
  const uris = new Set(Array.isArray(resourceSubscriptions) ? resourceSubscriptions.filter((uri) => typeof uri === "string") : []);
  if (uris.size > maxUris) throw new McpError("invalidParams", `At most ${maxUris} resources can be listened to in one subscription.`);
  return {
    wantsTools: toolsListChanged === true,
    wantsPrompts: promptsListChanged === true,
    wantsResources: resourcesListChanged === true,
    wantsResource: (uri) => uris.has(uri),
    wanted: {
      ...(toolsListChanged === true && { toolsListChanged }),
      ...(promptsListChanged === true && { promptsListChanged }),
      ...(resourcesListChanged === true && { resourcesListChanged }),
      ...(uris.size > 0 && { resourceSubscriptions: [...uris] }),
    },
  };
}

const maxUris = 1000;
