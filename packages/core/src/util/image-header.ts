/** What the first bytes of an image say. The size is missing where the header is cut or damaged. */
export interface ImageHeader {
  readonly mimeType: string;
  readonly size?: { readonly width: number; readonly height: number };
}

/** Undefined for bytes that begin like none of PNG, JPEG, GIF, WebP and BMP. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  for (const { mimeType, starts, size } of formats) {
    if (!starts(bytes)) continue;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const found = sizeOf(view, size);
    return found !== undefined && found.width > 0 && found.height > 0 ? { mimeType, size: found } : { mimeType };
  }
  return undefined;
}

type Size = NonNullable<ImageHeader["size"]>;

interface Format {
  readonly mimeType: string;
  starts(bytes: Uint8Array): boolean;
  /** May read past the end, which means that the header is cut. */
  size(view: DataView): Size | undefined;
}

const formats: readonly Format[] = [
  {
    mimeType: "image/png",
    starts: (bytes) => hasBytes(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    size: (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  },
  { mimeType: "image/jpeg", starts: (bytes) => hasBytes(bytes, 0, [0xff, 0xd8, 0xff]), size: jpegSize },
  {
    mimeType: "image/gif",
    starts: (bytes) => hasText(bytes, 0, "GIF87a") || hasText(bytes, 0, "GIF89a"),
    size: (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  },
  { mimeType: "image/webp", starts: (bytes) => hasText(bytes, 0, "RIFF") && hasText(bytes, 8, "WEBP"), size: webpSize },
  {
    mimeType: "image/bmp",
    starts: (bytes) => hasText(bytes, 0, "BM"),
    size: (view) => ({ width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }),
  },
];

/** Walks from segment to segment up to the one that starts a frame (SOF). */
function jpegSize(view: DataView): Size | undefined {
  let at = 2;
  while (at < view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    } else if (marker === 0xd9 || marker === 0xda) return undefined;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}

function webpSize(view: DataView): Size | undefined {
  const uint24 = (at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  switch (view.getUint32(12)) {
    case 0x56503820: // "VP8 "
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 0x5650384c: {
      // "VP8L": 14 bits of width - 1, then 14 bits of height - 1
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: // "VP8X"
      return { width: uint24(24) + 1, height: uint24(27) + 1 };
    default:
      return undefined;
  }
}

function sizeOf(view: DataView, read: Format["size"]): Size | undefined {
  try {
    return read(view);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function hasBytes(bytes: Uint8Array, at: number, wanted: readonly number[]): boolean {
  return wanted.every((byte, index) => bytes[at + index] === byte);
}

function hasText(bytes: Uint8Array, at: number, wanted: string): boolean {
  for (let index = 0; index < wanted.length; index++) if (bytes[at + index] !== wanted.charCodeAt(index)) return false;
  return true;
}
