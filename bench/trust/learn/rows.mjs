import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const unseen = fileURLToPath(new URL("../unseen/", import.meta.url));

/** The rows of a file with one JSON value a line; none if there is no such file. */
export function rowsOf(folder, name) {
  const file = join(folder, `${name}.jsonl`);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Sentences of our own: "hostile", "honest", "hostile-results", "harmless-results". `held` are those that weights were never learned from. */
export function ownRows(name, part = "learned") {
  return rowsOf(unseen, part === "held" ? `held-${name}` : name);
}

/** Whole definitions and results that are only measured with: "definitions", "results". */
export function heldRows(name) {
  return rowsOf(fileURLToPath(new URL("../held/", import.meta.url)), name);
}

/** A number below `count` for a text, the same on every machine. */
export function groupOf(text, count) {
  return createHash("sha256").update(text).digest().readUInt16BE(1) % count;
}

/** Names of tools that texts of our own speak about as other ones. */
export const others = ["send_email", "read_file", "execute_sql", "create_payment"];

/** A text of our own in a tool: {p} is a parameter of it, {t} the tool, {o} another one. Returns the tool and the pointer to the text. */
export function plant(text, base, index) {
  const tool = structuredClone(base);
  const properties = tool.inputSchema?.properties ?? {};
  const [parameter] = Object.keys(properties);
  const words = text
    .replaceAll("{p}", parameter ?? "query")
    .replaceAll("{t}", tool.name)
    .replaceAll("{o}", others[index % others.length]);
  if (parameter !== undefined && index % 3 === 1 && typeof properties[parameter] === "object") {
    const said = properties[parameter].description;
    properties[parameter].description = said ? `${ended(said)} ${words}` : words;
    return { tool, words, path: `/inputSchema/properties/${parameter.replaceAll("~", "~0").replaceAll("/", "~1")}/description` };
  }
  const said = tool.description ?? "";
  tool.description = index % 3 === 0 ? `${ended(said)} ${words}` : `${words} ${said}`;
  return { tool, words, path: "/description" };
}

/** With a full stop, so that the words of the tool do not become part of the sentence that is planted. */
function ended(text) {
  return /[.!?:]\s*$/.test(text) ? text : `${text}.`;
}
