import type { Registry, RegistryView, ToolDefinition } from "@toolrack/core";
import { guideFor } from "./guide.ts";
import { runCodeName } from "./run-code.ts";

/**
 * The same registry; where a list has `run_code`, its description tells this caller how to write programs, and over which tools. The text
 * is made once for each list of tools, so that lists stay the same while nothing changes.
 */
export function withProgramGuide(
  listed: Registry,
  registry: Pick<Registry, "view">,
  usedMost: () => ReadonlyMap<string, number>,
): Registry {
  const guides = new WeakMap<readonly ToolDefinition[], ToolDefinition>();
  const lists = new WeakMap<readonly ToolDefinition[], readonly ToolDefinition[]>();
  const view: Registry["view"] = (caller) => {
    const inner = listed.view(caller);
    const plain = inner.offered(runCodeName);
    if (plain === undefined) return inner;
    const callable = registry.view(caller).tools;
    let guided = guides.get(callable);
    if (guided === undefined) {
      guided = Object.freeze({ ...plain, description: guideFor(callable, usedMost()) });
      guides.set(callable, guided);
    }
    let tools = lists.get(inner.tools);
    if (tools === undefined || !(tools.includes(guided) || !inner.tools.includes(plain))) {
      tools = Object.freeze(inner.tools.map((tool) => (tool === plain ? guided : tool)));
      lists.set(inner.tools, tools);
    }
    return withTools(inner, tools, (name) => (name === runCodeName ? guided : inner.offered(name)));
  };
  return Object.create(listed, { view: { value: view } }) as Registry;
}

function withTools(inner: RegistryView, tools: readonly ToolDefinition[], offered: RegistryView["offered"]): RegistryView {
  return {
    tools,
    get known() {
      return inner.known;
    },
    get warnings() {
      return inner.warnings;
    },
    offered,
    decision: inner.decision,
    decisionAbout: inner.decisionAbout,
  };
}
