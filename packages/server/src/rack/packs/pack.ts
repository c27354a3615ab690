import type { AnyTool, Caller, Registry } from "@toolrack/core";
import type { BreadcrumbStore } from "@toolrack/store";

/** Makes the tools of one pack from what the configuration says about it. */
export type OpenPack = (config: PackConfig, context: PackContext) => readonly AnyTool[];

export type PackConfig = Readonly<Record<string, unknown>>;

/** What packs are put into. */
export interface PackContext {
  /** The folder that tools work in. */
  readonly root: string;
  /** Files and folders of the server itself, as absolute paths: no tool may read or change them, and no program may see them. */
  readonly ownFiles: readonly string[];
  readonly store: BreadcrumbStore;
  /** Where the tools will hang: those that find other tools look there. */
  readonly registry: Registry;
  /** Tells the operator at the start what does not work, and the remedy. */
  onProblem(problem: string): void;
  /** Is told when callers cannot sign in any more: what runs on their behalf has to end. */
  onCallersEnd(listener: (isOver: (caller: Caller) => boolean) => void): void;
  /** What has to end with the rack. */
  onClose(close: () => Promise<void>): void;
}
