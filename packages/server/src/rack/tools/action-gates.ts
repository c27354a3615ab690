import type { AddedWrapper, AnyTool, ToolDefinition, ToolSource } from "@toolrack/core";
import { normalizeToolName, withoutActions } from "@toolrack/core/compat";
import { actionsOf, governedNames, isObject } from "@toolrack/core/internal";
import { nearestNames } from "@toolrack/json-schema/internal";

/** Tool → disabled action → where that is said: "toolrack.config.yaml:12". */
export type DisabledActions = ReadonlyMap<string, ReadonlyMap<string, string>>;

interface DisabledAction {
  readonly key: string;
  readonly origin: string;
}

/** Keeps callers from actions that `tools.actions` disables. */
export interface ActionGates {
  /** Refuses calls of disabled actions. */
  readonly wrapper: AddedWrapper;
  /** The source with its tools as callers see them: without the disabled actions. */
  gate(source: ToolSource): ToolSource;
  /** Shows the tools of all sources as the settings have them now. */
  apply(): void;
  /** Entries of `tools.actions` that disable nothing, or everything. */
  problems(toolOf: (name: string) => ToolDefinition | undefined): readonly string[];
}

export function createActionGates(disabled: () => DisabledActions): ActionGates {
  const sources = new Set<() => void>();
  const gated = new WeakMap<AnyTool, { readonly actions: string; readonly tool: AnyTool }>();
  /** The actions of each gated tool, with the disabled ones. */
  const actionsBefore = new WeakMap<AnyTool, readonly string[]>();
  let applied = keyOf(disabled());
  /** The disabled actions of a tool, under each of its names: action → the name in the settings, and where that is said. */
  function disabledIn(tool: { readonly name: string }): ReadonlyMap<string, DisabledAction> {
    const found = new Map<string, DisabledAction>();
    for (const name of governedNames(tool).map(normalizeToolName))
      for (const [action, origin] of disabled().get(name) ?? []) found.set(action, { key: keyFor(name, action), origin });
    return found;
  }

  function toGated(shape: AnyTool): AnyTool {
    const { name } = shape as { readonly name: unknown };
    const actions = typeof name === "string" ? [...disabledIn(shape as { readonly name: string }).keys()] : [];
    if (actions.length === 0) return shape;
    const key = actions.join("\n");
    const known = gated.get(shape);
    if (known?.actions === key) return known.tool;
    const [before, tool] = tryWithout(shape, actions);
    gated.set(shape, { actions: key, tool });
    if (before !== undefined) actionsBefore.set(tool, before);
    return tool;
  }

  const refusalOf = (tool: ToolDefinition, input: unknown): string | undefined => {
    const given = isObject(input) && Object.hasOwn(input, "action") ? [input["action"]].flat() : [];
    const gates = disabledIn(tool);
    // A tool may read " Send" as "send", or take several at once.
    const action = [...gates.keys()].find((one) => given.some((text) => fold(text) === fold(one)));
    if (action === undefined) return undefined;
    const { key, origin } = gates.get(action)!;
    const others = actionsOf(tool)?.filter((other) => !gates.has(other)) ?? [];
    const next = others.length === 0 ? "" : ` Its other actions are ${others.join(", ")}.`;
    return `Action disabled: the action "${action}" of tool "${tool.name}" is disabled by ${key} (${origin}).${next}`;
  };

  return {
    wrapper: {
      at: "outermost",
      wrapper: {
        name: "action-gates",
        // Asked again after each change of the settings.
        appliesTo: (tool) => disabledIn(tool).size > 0,
        beforeRun(call) {
          const refusal = refusalOf(call.tool, call.input);
          return refusal === undefined ? undefined : call.fail("TOOL_DISABLED", refusal);
        },
        // The schema no longer lists a disabled action, so that the input is refused first.
        finish(result, call) {
          const refusal = !result.ok && result.code === "INPUT_INVALID" ? refusalOf(call.tool, call.input) : undefined;
          return refusal === undefined ? result : call.fail("TOOL_DISABLED", refusal);
        },
        skipsShortText: () => false,
      },
    },
    gate(source) {
      let listed: readonly AnyTool[] | undefined;
      let isAsked = true;
      return {
        id: source.id,
        ...(source.identity !== undefined && { identity: source.identity }),
        async list(options) {
          if (isAsked || listed === undefined) listed = await source.list(options);
          // What is no list is reported by the registry.
          return Array.isArray(listed) ? listed.map(toGated) : listed;
        },
        ...(source.listFor && { listFor: (caller) => source.listFor!(caller).map(toGated) }),
        watch(onChange) {
          const stop = source.watch?.(onChange);
          /** The registry reads a list at once, unless it is reading one: then it asks the source again. */
          const again = (): void => {
            isAsked = false;
            onChange();
            isAsked = true;
          };
          sources.add(again);
          return () => {
            sources.delete(again);
            stop?.();
          };
        },
        ...(source.close && { close: () => source.close!() }),
      };
    },
    apply() {
      const key = keyOf(disabled());
      if (key === applied) return;
      applied = key;
      for (const again of sources) again();
    },
    problems: (toolOf) =>
      [...disabled()].flatMap(([name, actions]) => {
        const tool = toolOf(name);
        if (tool === undefined) return [`tools.actions.${name} names no tool that is there now, so it disables nothing. Check the name.`];
        const known = actionsBefore.get(tool) ?? actionsOf(tool);
        if (known === undefined) return "action" in propertiesOf(tool) ? [] : [noAction(name)];
        if (known.every((action) => actions.has(action)))
          return [
            `tools.actions.${name}: all actions of the tool "${name}" are disabled, but it is still listed. Add it to tools.disabled.`,
          ];
        return [...actions.keys()].flatMap((action) => unknownAction(name, action, known));
      }),
  };
}

/** The actions of a tool, and the tool without some of them. One that cannot be read is reported by the registry. */
function tryWithout(shape: AnyTool, actions: readonly string[]): readonly [readonly string[] | undefined, AnyTool] {
  try {
    return [actionsOf(withoutActions(shape, [])), withoutActions(shape, actions)];
  } catch {
    return [undefined, shape];
  }
}

function noAction(tool: string): string {
  return `tools.actions.${tool}: the tool "${tool}" has no parameter "action", so nothing is disabled. Deny the tool, or add a condition to the policy.`;
}

function propertiesOf({ inputSchema }: ToolDefinition): object {
  const properties = inputSchema["properties"];
  return isObject(properties) ? properties : {};
}

function fold(text: unknown): string | undefined {
  return typeof text === "string" ? text.trim().toLowerCase() : undefined;
}

function unknownAction(tool: string, action: string, known: readonly string[]): readonly string[] {
  if (known.includes(action)) return [];
  const [near] = nearestNames(action, known, 1);
  const hint = near === undefined ? `Its actions are ${known.join(", ")}.` : `Did you mean "${near}"?`;
  return [`${keyFor(tool, action)}: the tool "${tool}" has no action "${action}", so nothing is disabled. ${hint}`];
}

function keyFor(tool: string, action: string): string {
  return `tools.actions.${tool}.${action}`;
}

function keyOf(disabled: DisabledActions): string {
  return JSON.stringify([...disabled].map(([tool, actions]) => [tool, [...actions.keys()]]));
}
