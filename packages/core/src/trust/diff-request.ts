import { isObject } from "@toolrack/json-schema/internal";
import type { AddChange } from "./change.ts";

/** Compares where the requests of a tool go, and what they carry. Another request is another tool, whatever its words are. */
export function diffRequest(was: unknown, is: unknown, path: string, add: AddChange): void {
  const [before, after] = [sentenceOf(was), sentenceOf(is)];
  const message =
    before === after
      ? `The tool sends ${after} as before, and makes the request in another way: its parameters, its body or its headers.`
      : `The tool sent ${before}, and sends ${after} now.`;
  add(path, "identity", message, was, is);
}

/** 'GET https://api.example.com/pets (credentials: PETS_KEY in the header "X-Key")' */
function sentenceOf(request: unknown): string {
  if (!isObject(request)) return "a request that is not known";
  const { method, url, credentials } = request;
  const ways = listOf(credentials).map((way) => listOf(way).map(placeOf).join(" and ") || "none");
  return `${String(method)} ${String(url)} (credentials: ${ways.join(", or ") || "none"})`;
}

function placeOf(credential: unknown): string {
  if (!isObject(credential)) return "unknown";
  const { secret, in: place, name } = credential;
  return `${String(secret)} in the ${String(place)} ${JSON.stringify(name)}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
