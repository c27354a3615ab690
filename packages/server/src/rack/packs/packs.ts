import { type AnyTool, ToolError } from "@toolrack/core";
import { nearestNames } from "@toolrack/json-schema/internal";
import { isPackName, type PackName, packNames, type PacksConfig } from "../../config/config.ts";
import { readOptions } from "../util/module-options.ts";
import type { OpenPack, PackConfig, PackContext, PackDefinition } from "./pack.ts";

export interface PacksOptions extends Omit<PackContext, "onClose"> {
  /** @default utility: nothing that reads files or runs programs */
  readonly packs: PacksConfig | undefined;
  /** Packs that modules add; undefined where modules are not loaded, so that packs which are not built in are left out. */
  readonly added: ReadonlyMap<string, PackDefinition> | undefined;
  /** Why modules could not be loaded, by specifier. */
  readonly failedModules?: ReadonlyMap<string, string>;
  /** "toolrack.config.yaml:12": the position of a part of the configuration. @default not known */
  readonly originOf?: (path: readonly (string | number)[]) => string;
}

export interface OpenedPacks {
  readonly tools: readonly AnyTool[];
  /** The tools of packs that modules add, by the name of the pack: they are the user's own. */
  readonly added: ReadonlyMap<string, readonly AnyTool[]>;
  /** Ends the programs that tools started. */
  close(): Promise<void>;
}

/** The packs that are configured, built-in ones and those of modules. Throws CONFIG_INVALID for an unknown pack and wrong options. */
export async function openPacks({ packs: wanted = {}, added, failedModules, originOf, ...context }: PacksOptions): Promise<OpenedPacks> {
  const closes: (() => Promise<void>)[] = [];
  const tools: AnyTool[] = [];
  const ofModules = new Map<string, readonly AnyTool[]>();
  const all = { utility: true, ...(context.sessions !== undefined && { sessions: true }), ...wanted };
  for (const [name, config] of Object.entries(all)) {
    if (config === false || config === undefined) continue;
    const options = config === true ? {} : config;
    const own: PackContext = { ...context, onClose: (close) => void closes.push(close) };
    if (isPackName(name)) tools.push(...(await packs[name]()).open(options, own));
    else if (added !== undefined) ofModules.set(name, await openAdded(name, options, own, { added, failedModules, originOf }));
  }
  return { tools, added: ofModules, close: async () => void (await Promise.all(closes.map((close) => close()))) };
}

/** A pack that a module adds, with its options checked. */
async function openAdded(name: string, options: PackConfig, context: PackContext, modules: AddedPacks): Promise<readonly AnyTool[]> {
  const { added, failedModules = new Map<string, string>(), originOf } = modules;
  const wrong = (at: readonly string[], fact: string): string => {
    const path = ["tools", "packs", name, ...at];
    return `${originOf === undefined ? "" : `${originOf(path)} `}${path.join(".")} ${fact}`;
  };
  const pack = added.get(name);
  if (pack === undefined) {
    const known = [...packNames, ...added.keys()];
    const near = nearestNames(name, known, 1)[0];
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    const facts = [`is not a known pack.${hint} Known packs: ${known.join(", ")}.`, ...failedModules.values()];
    throw new ToolError("CONFIG_INVALID", wrong([], facts.join(" ")));
  }
  const { value, faults } = readOptions(pack.options, options);
  if (faults.length > 0) throw new ToolError("CONFIG_INVALID", faults.map(({ at, fact }) => wrong(at, fact)).join("\n"));
  return toolsOf(name, () => pack.open(value, context));
}

type AddedPacks = Pick<PacksOptions, "failedModules" | "originOf"> & { readonly added: ReadonlyMap<string, PackDefinition> };

/** The code of a module may fail, or return something else than a list. */
async function toolsOf(name: string, open: () => readonly AnyTool[] | Promise<readonly AnyTool[]>): Promise<readonly AnyTool[]> {
  let tools: unknown;
  try {
    tools = await open();
  } catch (error) {
    throw new ToolError(
      "CONFIG_INVALID",
      `The pack of tools.packs.${name} could not be opened: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  if (Array.isArray(tools)) return tools;
  throw new ToolError(
    "CONFIG_INVALID",
    `The pack of tools.packs.${name} could not be opened: its function open must return a list of tools.`,
  );
}

/** Loaded when a configuration enables them. */
const packs: Readonly<Record<PackName, () => Promise<{ readonly open: OpenPack }>>> = {
  files: () => import("./files.ts"),
  runtime: () => import("./runtime.ts"),
  code: () => import("./code.ts"),
  web: () => import("./web.ts"),
  memory: () => import("./memory.ts"),
  commerce: () => import("./commerce.ts"),
  publish: () => import("./publish.ts"),
  media: () => import("./media.ts"),
  messages: () => import("./messages.ts"),
  browser: () => import("./browser.ts"),
  sessions: () => import("./sessions.ts"),
  automation: () => import("./automation.ts"),
  canvas: () => import("./canvas.ts"),
  utility: () => import("./utility.ts"),
  search: () => import("./search.ts"),
  programs: () => import("./programs.ts"),
};
