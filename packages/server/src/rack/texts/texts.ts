import {
  type AnyTool,
  type Caller,
  type Registry,
  type ToolDefinition,
  ToolError,
  type ToolSource,
  type ToolSuccess,
} from "@toolrack/core";
import type { PolicyTool } from "@toolrack/core/policy";
import type { AnyResource, McpPrompt } from "@toolrack/mcp";
import { type NotedText, textOf } from "../trust/noted-texts.ts";
import { type Passed, toPrompt, toResource } from "./passed-on.ts";

/** What sources say to models beside their tools, as far as it is passed on and approved. */
export interface Texts {
  /** The source with its tools alone: what it says beside them stays here. */
  through(source: ToolSource): ToolSource;
  /** For the instructions of our own server: those of others, each with its name. */
  instructionsFor(caller: Caller): readonly string[];
  promptsFor(caller: Caller): readonly McpPrompt[];
  resourcesFor(caller: Caller): readonly AnyResource[];
  /** The source of a text, by the name of its tool. */
  sourceOf(tool: string): string | undefined;
  /** Called when prompts or resources were added, changed or removed. */
  onChange(listener: () => void): () => void;
}

export interface TextsOptions {
  /** A registry whose calls are limited, scanned and recorded as those of tools are. Opened with the first text. */
  open(): Registry;
  /** Whether the policy lets this caller have it without asking anybody. */
  isAllowed(tool: PolicyTool, caller: Caller): boolean;
}

export function createTexts({ open, isAllowed }: TextsOptions): Texts {
  const bySource = new Map<string, readonly Passed[]>();
  const listeners = new Set<() => void>();
  let registry: Registry | undefined;

  async function note(source: ToolSource, shapes: readonly AnyTool[]): Promise<void> {
    const server = source.id.slice(source.id.indexOf(":") + 1);
    const next = shapes.flatMap((shape): readonly Passed[] => {
      const text = textOf(shape);
      return text?.isPassedOn === true ? [{ tool: shape as ToolDefinition, text, server }] : [];
    });
    const before = bySource.get(source.id) ?? [];
    if (next.length === before.length && next.every(({ tool }, index) => tool === before[index]!.tool)) return;
    bySource.set(source.id, next);
    registry ??= open();
    if (registry.sources().some(({ id }) => id === source.id)) await registry.refreshSource(source.id);
    else await registry.addSource({ id: source.id, list: () => (bySource.get(source.id) ?? []).map(({ tool }) => tool) });
    tell();
  }

  async function forget(id: string): Promise<void> {
    if (!bySource.delete(id)) return;
    await registry?.removeSource(id).catch(() => undefined);
    tell();
  }

  function tell(): void {
    for (const listener of listeners) listener();
  }

  const passedTo = (caller: Caller, ...kinds: readonly NotedText["kind"][]): readonly Passed[] =>
    [...bySource.values()].flat().filter(({ text, tool }) => kinds.includes(text.kind) && isAllowed(tool, caller));

  async function use({ tool }: Passed, input: object, { caller, signal }: { caller: Caller; signal: AbortSignal }): Promise<ToolSuccess> {
    const result = await registry!.invoke(tool.name, input, { caller, signal });
    if (result.ok) return result;
    throw new ToolError(result.code, result.error);
  }

  return {
    through: (source) => ({
      id: source.id,
      ...(source.identity !== undefined && { identity: source.identity }),
      async list(options) {
        const shapes = await source.list(options);
        if (!Array.isArray(shapes)) return shapes;
        await note(source, shapes);
        return shapes.some((shape) => textOf(shape) !== undefined) ? shapes.filter((shape) => textOf(shape) === undefined) : shapes;
      },
      ...(source.listFor && { listFor: (caller) => source.listFor!(caller) }),
      watch(onChange) {
        const stop = source.watch?.(onChange);
        return () => {
          void forget(source.id);
          stop?.();
        };
      },
      ...(source.close && { close: () => source.close!() }),
    }),
    instructionsFor: (caller) =>
      passedTo(caller, "instructions").map(({ tool, server }) => {
        const { description } = tool;
        const text = description.length > maxInstructions ? `${description.slice(0, maxInstructions)}…` : description;
        return `The MCP server "${server}", whose tools begin with "${server}__", says about them: ${text}`;
      }),
    promptsFor: (caller) => passedTo(caller, "prompt").map((one) => toPrompt(one, use)),
    resourcesFor: (caller) => passedTo(caller, "resource", "resource-template").map((one) => toResource(one, use)),
    sourceOf: (name) => [...bySource].find(([, texts]) => texts.some(({ tool }) => tool.name === name))?.[0],
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const maxInstructions = 10_000;
