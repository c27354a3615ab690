import type { CallerPolicy } from "../policy/config/config.ts";
import type { SharedDecisions } from "../policy/decide/decide-with.ts";
import { type IndexedTools, indexTools, pickTool } from "../policy/entries/indexed-tools.ts";
import type { Among } from "../policy/entries/list-matcher.ts";
import type { Decision, PolicyTool, PolicyWarning } from "../policy/policy.ts";
import type { Caller } from "../tool/context.ts";
import { type ListOrigin, setOrigin } from "../tool/list-origin.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { isVariable } from "./availability.ts";

/** What was decided for all callers to whom the same applies. The whole list is decided when it is first asked for, one tool alone. */
export interface SharedView {
  readonly policy: CallerPolicy | undefined;
  /** The tools that exist for one caller only, by name. */
  readonly own: ReadonlyMap<string, ToolDefinition>;
  /** All tools. */
  readonly among: Among;
  /** A tool by its exact name, whether or not it may be seen. */
  find(name: string): ToolDefinition | undefined;
  /** The decision about one tool, which may be an older version of one in the view; `decide` makes it if it is not kept. */
  decision(tool: PolicyTool, decide: (one: IndexedTools) => Decision): Decision;
  /** One tool as an index of its own: as it is in the view, or by itself if another one has its name there. */
  pick(tool: PolicyTool): IndexedTools;
  warningsFor(caller: Caller): readonly PolicyWarning[];
  /** The tools on offer; the same array for the same tools. `isOpen` is asked about those whose answer may differ each time. */
  offered(isOpen: (tool: ToolDefinition) => boolean): readonly ToolDefinition[];
  /** Lets go of what can be made again. */
  forget(): void;
}

export interface SharedViewParts extends Pick<SharedView, "policy" | "own" | "among"> {
  readonly origin: ListOrigin;
  decideAll(): SharedDecisions<ToolDefinition>;
  isOffered(tool: ToolDefinition): boolean;
  grow(view: SharedView, bytes: number): void;
}

export function createSharedView({ policy, own, among, origin, decideAll, isOffered, grow }: SharedViewParts): SharedView {
  let decisions = new Map<PolicyTool, Decision>();
  /** Kept for warnings alone: beside it, a list is small. */
  let decided: SharedDecisions<ToolDefinition> | undefined;
  let candidates: Candidates | undefined;
  /** By the tools that are left out. */
  let lists = new Map<string, readonly ToolDefinition[]>();

  const indexWith = (name: string): IndexedTools | undefined => among.find(({ positions }) => positions.has(name));

  function candidatesOf(): Candidates {
    if (candidates !== undefined) return candidates;
    const tools = (decided ?? decideAll()).tools.filter((tool) => isVariable(tool) || isOffered(tool));
    const variable = tools.flatMap((tool, position) => (isVariable(tool) ? [position] : []));
    const made = (candidates = { tools, variable });
    grow(view, listBytes(tools) + listBytes(variable));
    return made;
  }

  const view: SharedView = {
    policy,
    own,
    among,
    find(name) {
      const index = indexWith(name);
      return index?.tools[index.positions.get(name)!] as ToolDefinition | undefined;
    },
    decision(tool, decide) {
      const known = decisions.get(tool);
      if (known !== undefined) return known;
      const decision = decide(view.pick(tool));
      if (!namesCaller(decision, policy)) {
        decisions.set(tool, decision);
        grow(view, decisionBytes);
      }
      return decision;
    },
    pick(tool) {
      const index = indexWith(tool.name);
      const position = index?.positions.get(tool.name);
      return index === undefined || index.tools[position!] !== tool ? indexTools([tool]) : pickTool(index, position!);
    },
    warningsFor(caller) {
      const known = decided;
      const used = (decided ??= decideAll());
      if (known === undefined) grow(view, 2 * listBytes(used.tools));
      return used.warningsFor(caller);
    },
    offered(isOpen) {
      const { tools, variable } = candidatesOf();
      const closed = variable.filter((position) => !isOpen(tools[position]!));
      const key = closed.join();
      const known = lists.get(key);
      if (known !== undefined) return known;
      const left = new Set(closed);
      const list = setOrigin(Object.freeze(closed.length === 0 ? tools : tools.filter((_, position) => !left.has(position))), origin);
      if (lists.size >= maxLists) lists.delete(lists.keys().next().value!);
      lists.set(key, list);
      grow(view, key.length + (list === tools ? 0 : listBytes(list)));
      return list;
    },
    forget() {
      decisions = new Map();
      decided = candidates = undefined;
      lists = new Map();
    },
  };
  return view;
}

/** The tools that the policy leaves and that are not switched off; of the variable ones some may be closed. */
interface Candidates {
  readonly tools: readonly ToolDefinition[];
  /** Positions. */
  readonly variable: readonly number[];
}

/** Callers with different conditions share a view: so many of their lists are kept. */
const maxLists = 16;
const decisionBytes = 300;

function listBytes(list: readonly unknown[]): number {
  return 512 + 8 * list.length;
}

/** A reason that names the agent of one caller is not shown to others. */
function namesCaller({ step: id }: Decision, policy: CallerPolicy | undefined): boolean {
  return id !== undefined && policy !== undefined && policy.steps.some((step) => step.id === id && typeof step.reason === "function");
}
