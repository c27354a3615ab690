import type { AnyTool } from "@toolrack/core";
import type { PackName, PacksConfig } from "../../config/config.ts";
import type { OpenPack, PackContext } from "./pack.ts";

export interface PacksOptions extends Omit<PackContext, "onClose"> {
  /** @default utility and unavailable: nothing that reads files or runs programs */
  readonly packs: PacksConfig | undefined;
}

export interface OpenedPacks {
  readonly tools: readonly AnyTool[];
  /** Ends the programs that tools started. */
  close(): Promise<void>;
}

/** The built-in tools that are configured. */
export async function openPacks({ packs: wanted = {}, ...context }: PacksOptions): Promise<OpenedPacks> {
  const closes: (() => Promise<void>)[] = [];
  const tools: AnyTool[] = [];
  for (const [name, config] of Object.entries({ utility: true, unavailable: true, ...wanted })) {
    if (config === false) continue;
    const { open } = await packs[name as PackName]();
    tools.push(...open(config === true ? {} : config, { ...context, onClose: (close) => closes.push(close) }));
  }
  return { tools, close: async () => void (await Promise.all(closes.map((close) => close()))) };
}

/** Each is loaded by the racks that have it. */
const packs: Readonly<Record<PackName, () => Promise<{ readonly open: OpenPack }>>> = {
  files: () => import("./files.ts"),
  runtime: () => import("./runtime.ts"),
  code: () => import("./code.ts"),
  web: () => import("./web.ts"),
  memory: () => import("./memory.ts"),
  commerce: () => import("./commerce.ts"),
  utility: () => import("./utility.ts"),
  search: () => import("./search.ts"),
  unavailable: () => import("./unavailable.ts"),
};
