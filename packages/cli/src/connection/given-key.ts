import { CommandError } from "../errors.ts";

/** The API key of the environment; undefined if there is none. What cannot be a key is refused, and never repeated: it may be a part of one. */
export function givenKey(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const given = environment["TOOLRACK_KEY"];
  return given === undefined ? undefined : readKey(given, "TOOLRACK_KEY");
}

/** A key without the line break that its file may end with. `place` is where it was read: "TOOLRACK_KEY". */
export function readKey(given: string, place: string): string {
  const key = given.trim();
  if (key === "")
    throw new CommandError("usage", `${place} is empty. Put an API key there, or unset it: your own server on this machine needs none.`);
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new CommandError(
    "usage",
    `${place} holds no key: it has a space, a line break or another character that no key has. Put there the line that toolrack keys create printed, and nothing else.`,
  );
}
