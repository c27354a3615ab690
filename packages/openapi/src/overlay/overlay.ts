import type { JsonObject } from "@toolrack/json-schema/internal";

export function applyOverlays(
  root: JsonObject,
  overlays: readonly unknown[],
): { readonly root: JsonObject; readonly warnings: readonly string[] } {
  void overlays;
  return { root, warnings: [] };
}
