import type { Caller, Registry } from "@toolrack/core";
import type { ToolList, ToolLists } from "../lists/tool-lists.ts";
import { recipesFor } from "../library/recipes.ts";

/** A listener, and the changes that it subscribed to. */
export interface ChangeListener {
  readonly caller: Caller;
  readonly isAnonymous: boolean;
  readonly wantsTools: boolean;
  readonly wantsPrompts: boolean;
  readonly wantsResources: boolean;
  wantsResource(uri: string): boolean;
  tell(method: string, params?: object): void;
}

/** Notifications about changes that the registry does not show. */
export interface McpNotify {
  promptsChanged(): void;
  resourcesChanged(): void;
  resourceUpdated(uri: string): void;
}

export interface Changes extends McpNotify {
  /** Listens until the function that it returns is called. */
  add(listener: ChangeListener): () => void;
}

/**
 * Tells each listener when what it sees has changed. The registry's revision is looked at while somebody listens: its events would
 * slow down every call, and a new policy has none.
 */
export function createChanges(registry: Registry, lists: ToolLists): Changes {
  const listening = new Map<ChangeListener, Seen>();
  let revision = registry.revision;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    if (registry.revision === revision) return;
    revision = registry.revision;
    for (const [listener, seen] of listening) {
      const now = see(lists.for(listener.caller, listener.isAnonymous));
      listening.set(listener, now);
      if (now.signature === seen.signature) continue;
      if (listener.wantsTools) listener.tell("notifications/tools/list_changed");
      if (listener.wantsPrompts && now.recipes !== seen.recipes) listener.tell("notifications/prompts/list_changed");
      if (listener.wantsResource(catalogUri)) listener.tell("notifications/resources/updated", { uri: catalogUri });
    }
  }

  function tellAll(wants: (listener: ChangeListener) => boolean, method: string, params?: object): void {
    for (const listener of listening.keys()) if (wants(listener)) listener.tell(method, params);
  }

  return {
    add(listener) {
      if (timer === undefined) revision = registry.revision;
      listening.set(listener, see(lists.for(listener.caller, listener.isAnonymous)));
      timer ??= setInterval(look, lookEveryMs).unref();
      return () => {
        listening.delete(listener);
        if (listening.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    promptsChanged: () => tellAll(({ wantsPrompts }) => wantsPrompts, "notifications/prompts/list_changed"),
    resourcesChanged: () => tellAll(({ wantsResources }) => wantsResources, "notifications/resources/list_changed"),
    resourceUpdated: (uri) => tellAll((listener) => listener.wantsResource(uri), "notifications/resources/updated", { uri }),
  };
}

interface Seen {
  readonly signature: string;
  readonly recipes: string;
}

const lookEveryMs = 100;
const catalogUri = "toolrack://catalog";

function see(list: ToolList): Seen {
  return {
    signature: list.signature,
    recipes: recipesFor(list.tools)
      .map(({ name, description }) => `${name} ${description}`)
      .join("\n"),
  };
}
