import type { CallContext } from "@toolrack/core";

/** A model that looks at images. */
export interface ImageModel {
  /** What results name as their origin. */
  readonly name: string;
  /** The secrets that it needs. */
  readonly secrets?: readonly string[];
  describe(
    images: readonly { readonly bytes: Uint8Array; readonly mimeType: string }[],
    prompt: string,
    context: Pick<CallContext, "secret" | "signal">,
  ): Promise<string>;
}
