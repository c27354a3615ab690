import type { JsonSchema } from "@toolrack/json-schema";
import type { EventListener } from "../events.ts";
import { createRegistry } from "../registry/create.ts";
import type { RegistryOptions } from "../registry/options.ts";
import type { Registry, ToolDescription } from "../registry/registry.ts";
import type { ToolOptionality } from "../tool/metadata.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { type ExtendedTool, fromExtendedTool } from "./extended-tool.ts";

/** Is told when a tool comes and when it goes. */
export interface ToolRegistryListener {
  OnToolRegistered(tool: ExtendedTool): void;
  OnToolUnregistered(name: string): void;
}

/** A registry under the method names of a registry written in Go. What returned an error there throws a ToolError here. */
export interface ExtendedToolRegistry {
  /** The registry that does the work: calls, policies, sources and all the rest. */
  readonly registry: Registry;
  Register(tool: ExtendedTool): void;
  Unregister(name: string): void;
  /** Undefined where the second value was false. */
  Get(name: string): ExtendedTool | undefined;
  List(): readonly ExtendedTool[];
  ListByCategory(category: string): readonly ExtendedTool[];
  ListByOptionality(optionality: ToolOptionality): readonly ExtendedTool[];
  GetToolDescriptions(): readonly ToolDescription[];
  GetToolSchemas(): Readonly<Record<string, JsonSchema>>;
  Subscribe(listener: ToolRegistryListener): void;
  Unsubscribe(listener: ToolRegistryListener): void;
}

export function NewToolRegistry(options: RegistryOptions = {}): ExtendedToolRegistry {
  const registry = createRegistry(options);
  /** Each tool in the form in which it was registered. */
  const given = new WeakMap<ToolDefinition, ExtendedTool>();
  const followers = new Map<ToolRegistryListener, EventListener>();
  const extended = (tool: ToolDefinition): ExtendedTool => given.get(tool) ?? toExtendedTool(tool);

  function follow(listener: ToolRegistryListener): EventListener {
    return (event) => {
      if (event.type === "tool-removed") listener.OnToolUnregistered(event.tool);
      if (event.type !== "tool-added") return;
      const tool = registry.get(event.tool);
      if (tool !== undefined) listener.OnToolRegistered(extended(tool));
    };
  }

  return {
    registry,
    Register(tool) {
      const read = fromExtendedTool(tool);
      given.set(read, tool);
      registry.register(read);
    },
    Unregister: (name) => registry.unregister(name),
    Get(name) {
      const tool = registry.get(name);
      return tool && extended(tool);
    },
    List: () => registry.list().map(extended),
    ListByCategory: (category) => registry.listByCategory(category).map(extended),
    ListByOptionality: (optionality) => registry.listByOptionality(optionality).map(extended),
    GetToolDescriptions: () => registry.describe(),
    GetToolSchemas: () => registry.schemas(),
    Subscribe(listener) {
      if (followers.has(listener)) return;
      const follower = follow(listener);
      followers.set(listener, follower);
      registry.subscribe(follower);
    },
    Unsubscribe(listener) {
      const follower = followers.get(listener);
      followers.delete(listener);
      if (follower !== undefined) registry.unsubscribe(follower);
    },
  };
}

/** A tool that came another way, such as from a source. */
function toExtendedTool(tool: ToolDefinition): ExtendedTool {
  const { category, optionality, usageHint, examples, requiresCapabilities } = tool.metadata ?? {};
  return {
    Name: () => tool.name,
    Description: () => tool.description,
    Execute: (context, args: unknown) => context.call(tool.name, args),
    Metadata: () => ({
      schema: tool.inputSchema,
      ...(category !== undefined && { category }),
      ...(optionality !== undefined && { optionality }),
      ...(usageHint !== undefined && { usage_hint: usageHint }),
      ...(examples !== undefined && { examples }),
      ...(requiresCapabilities !== undefined && { requires_capabilities: requiresCapabilities }),
    }),
  };
}
