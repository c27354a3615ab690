import { ToolError } from "@toolrack/core";
import type { Handler, ImplementationKind } from "./kind.ts";

/** Handlers of this process, by the id that definitions refer to: { kind: "local", id: "random" }. Without an id, the tool's name. */
export function localKind(handlers: Readonly<Record<string, Handler>> | ReadonlyMap<string, Handler>): ImplementationKind {
  const known = handlers instanceof Map ? (handlers as ReadonlyMap<string, Handler>) : new Map(Object.entries(handlers));
  return {
    kind: "local",
    createHandler(implementation, { context }) {
      const id = String(implementation["id"] ?? context["name"]);
      const handler = known.get(id);
      if (handler === undefined)
        throw new ToolError("DEFINITION_INVALID", `Tool "${String(context["name"])}": no handler "${id}" is registered in this process.`);
      return handler;
    },
  };
}
