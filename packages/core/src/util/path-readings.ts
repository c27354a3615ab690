import { nodePath } from "#platform";

/**
 * Every way in which a tool may read the text of a path: as it is, without space around it, percent-decoded, with backslashes
 * as separators, and with `..` resolved by name. The text itself comes first. Undefined if there are too many readings.
 * "a%2fb" → ["a%2fb", "a/b"]
 */
export function pathReadings(path: string): readonly string[] | undefined {
  if (isPlain(path)) return [path];
  const readings = new Set([path]);
  for (const reading of readings) {
    // Iterating a Set includes what is added meanwhile, so each reading is itself read in every way.
    if (readings.size > maxReadings) return undefined;
    readings.add(reading.trim()).add(percentDecoded(reading)).add(reading.replaceAll("\\", "/")).add(nodePath.posix.normalize(reading));
  }
  return [...readings];
}

/** Why the text of a path is refused whatever is on the disk; undefined where it is not. */
export function pathFault(path: string, platform: NodeJS.Platform): string | undefined {
  if (path.length > maxLength) return `it is longer than ${maxLength} characters`;
  if (path.includes("\0")) return "it contains a NUL byte";
  if (/^~($|[\\/])/.test(path)) return "it begins in a home directory";
  if (/^file:/i.test(path)) return "it is a file URL";
  if (platform === "win32") return windowsFault(path);
  if (/^[A-Za-z]:/.test(path)) return "it begins with a drive letter";
  return streamName.test(path) ? "it names an alternate data stream" : undefined;
}

/** "a.txt:hidden" and "a::$DATA"; but "10:30.md" is a name like any other. */
const streamName = /\.\w+:[^\\/]|:\$[A-Za-z]/;
const maxLength = 4_096;
const maxReadings = 40;

function isPlain(path: string): boolean {
  return !/[%\\]|\.\.|^\s|\s$/.test(path);
}

/** "100%25" → "100%": what cannot be decoded stays. Two forms that careless decoders take for "." and "/" are taken for them. */
function percentDecoded(path: string): string {
  const careful = path
    .replace(/%c0%ae/gi, ".")
    .replace(/%c0%af/gi, "/")
    .replace(/%c1%9c/gi, "\\");
  return careful.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** Windows drops dots and spaces at the end of a name, takes what follows a colon for a stream, and gives some names to devices. */
function windowsFault(path: string): string | undefined {
  const names = path.replace(/^[A-Za-z]:(?=[\\/])/, "").split(/[\\/]/);
  if (names.some((name) => name.includes(":"))) return "it names an alternate data stream or a place on another drive";
  if (names.some((name) => name !== "." && name !== ".." && /[. ]$/.test(name))) return "a name in it ends in a dot or a space";
  return names.some((name) => /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)) ? "it names a device" : undefined;
}
