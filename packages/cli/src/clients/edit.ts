import { isDeepStrictEqual } from "node:util";
import { CommandError } from "../errors.ts";
import type { ClientFormat } from "@toolrack/server/client-entries";
import type { FileEditor } from "./editor.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface EditableFile {
  /** The entry of this name, if there is one. */
  entry(name: string): Fields | undefined;
  /** The whole text with this entry; every other value is the same as before. */
  with(name: string, entry: Fields): string;
  without(name: string): string;
  /** Whether nothing but an empty list of servers is left. */
  readonly isEmpty: boolean;
}

/** Opens the text of a client's file. Throws a usage error for one that cannot be read, so that it is never overwritten. */
export async function openFile(file: string, text: string, format: ClientFormat, key: string): Promise<EditableFile> {
  const editor = await loadEditor(format);
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const bare = text.slice(mark.length).trim() === "" ? editor.empty : text.slice(mark.length);
  const root = read(bare);
  const servers = root[key] ?? {};
  if (!isFields(servers)) throw unusable(file, `its "${key}" is not an object of servers`);

  function read(source: string): Fields {
    let parsed: unknown;
    try {
      parsed = editor.parse(source);
    } catch (error) {
      throw unusable(file, `it is not valid ${format.toUpperCase()}: ${String((error as Error).message).split("\n")[0]}`);
    }
    if (!isFields(parsed ?? {})) throw unusable(file, "it holds something else than settings by name");
    return (parsed ?? {}) as Fields;
  }

  /** The change is kept only if exactly this entry is different. */
  function checked(changed: string, entry: Fields | undefined, name: string): string {
    const after = read(changed);
    const { [name]: _, ...others } = servers as Fields;
    const expected = entry === undefined ? others : { ...others, [name]: entry };
    if (!isDeepStrictEqual(plain({ ...after, [key]: after[key] ?? {} }), plain({ ...root, [key]: expected })))
      throw unusable(file, `its form does not allow to change "${key}.${name}" alone`);
    return mark + changed;
  }

  const own = (name: string): Fields | undefined => {
    const found = Object.hasOwn(servers as Fields, name) ? (servers as Fields)[name] : undefined;
    return isFields(found) ? found : undefined;
  };
  return {
    entry: own,
    with: (name, entry) =>
      checked(
        attempt(() => editor.set(bare, key, name, entry)),
        entry,
        name,
      ),
    without: (name) =>
      checked(
        attempt(() => editor.remove(bare, key, name)),
        undefined,
        name,
      ),
    isEmpty: Object.keys(servers as Fields).length === 0 && Object.keys(root).every((name) => name === key),
  };

  function attempt(change: () => string): string {
    try {
      return change();
    } catch (error) {
      throw unusable(file, (error as Error).message);
    }
  }
}

async function loadEditor(format: ClientFormat): Promise<FileEditor> {
  if (format === "json") return (await import("./edit-json.ts")).jsonEditor;
  return format === "toml" ? (await import("./edit-toml.ts")).tomlEditor : (await import("./edit-yaml.ts")).yamlEditor;
}

/** Without prototypes and dates, which differ between parsers and values. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner)));
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unusable(file: string, fact: string): CommandError {
  return new CommandError("failed", `${file} was not changed: ${fact}. Mend it, or add the entry by hand.`);
}
