/** What an image says about itself. */
export interface ImageSize {
  /** "png", "jpg", "svg" … */
  readonly format: string;
  readonly width: number;
  readonly height: number;
}

/** Runs in a thread, as text: uses nothing from outside. Undefined for what is no image of a known format. */
export function readSizeProgram(load: (name: string) => unknown, bytes: Uint8Array): ImageSize | undefined {
  const { imageSize } = load("image-size") as {
    imageSize(bytes: Uint8Array): { readonly width: number; readonly height: number; readonly type?: string };
  };
  try {
    const { width, height, type } = imageSize(bytes);
    return typeof type === "string" && width > 0 && height > 0 ? { format: type, width, height } : undefined;
  } catch {
    return undefined;
  }
}
