/** One step of building the file system of a sandbox. Later steps cover earlier ones. Every path is absolute. */
export type Mount =
  | { readonly kind: "readable" | "writable"; readonly path: string }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  /** An empty folder of its own. @default of `maxBytes`: `mostTemporaryBytes` */
  | { readonly kind: "folder"; readonly path: string; readonly isWritable: boolean; readonly maxBytes?: number }
  /** An empty file in place of what is there. */
  | { readonly kind: "blank"; readonly path: string };

/** What each folder for temporary files may hold: it is memory of the machine. */
export const mostTemporaryBytes = 1_073_741_824;
