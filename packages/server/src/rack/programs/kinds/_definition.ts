import { type Registry, ToolError } from "@toolrack/core";
import { nearestNames } from "@toolrack/json-schema/internal";
import type { Breadcrumb } from "@toolrack/store";
import type { LackingPack } from "../../packs/pack-tools.ts";
import type { Programs } from "../programs.ts";

/** What stored programs and chains need of a server. */
export interface ProgramHost {
  readonly programs: Pick<Programs, "run">;
  readonly registry: Pick<Registry, "get" | "list">;
  /** The pack that has a tool of this name and is off, or not set up for it. */
  readonly lackingPackOf: (tool: string) => LackingPack | undefined;
}

/** A reason why a definition cannot run. */
export function wrong({ context }: Pick<Breadcrumb, "context">, fact: string): ToolError {
  return new ToolError("DEFINITION_INVALID", `Tool "${String(context["name"])}": ${fact}`);
}

/** What to do about a tool that is not there because its pack is off or not set up; undefined for other names. */
export function packHint({ lackingPackOf }: Pick<ProgramHost, "lackingPackOf">, tool: string): string | undefined {
  const lacking = lackingPackOf(tool);
  return lacking === undefined
    ? undefined
    : `"${tool}" is in the pack "${lacking.pack}", which ${lacking.state}: set ${lacking.setting} in toolrack.config.yaml; a running server has to be restarted.`;
}

/** Refuses fields that would have no effect. */
export function mustKnow(definition: Pick<Breadcrumb, "context">, implementation: object, known: readonly string[]): void {
  const other = Object.keys(implementation).find((key) => !known.includes(key));
  if (other === undefined) return;
  const [near] = nearestNames(other, known, 1);
  const hint = near === undefined ? `Its fields are ${known.join(", ")}.` : `Did you mean "${near}"?`;
  throw wrong(definition, `implementation.${other.slice(0, 80)} is not a field of this kind. ${hint}`);
}
