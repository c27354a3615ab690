import type { AnyTool } from "@toolrack/core";
import type { RackConfig } from "@toolrack/server";

export declare const demoTools: readonly AnyTool[];
export declare const demoConfig: RackConfig;
/** Uses the rack for a while: calls of every outcome, a definition that waits, one that was changed. */
export declare function useDemo(url: string, owner: Readonly<Record<string, string>>): Promise<void>;
