import { homesOf } from "./entries.mjs";
import { formerRootNames } from "./former-root-names.mjs";

/** Where each name that the root of the core exported is today: a table of the entries, then the names in their order. */
export function movedTables(entries) {
  const homes = homesOf(entries);
  const moved = formerRootNames.map((name) => ({ name, home: homes.get(name)?.[0] }));
  return [
    "",
    "| import from | holds | names |",
    "| --- | --- | --- |",
    ...entries.map(({ entry, about, names }) => `| \`${entry}\` | ${about} | ${names.length} |`),
    "",
    "## Where each name went",
    "",
    ...entries.flatMap(({ entry }) => {
      const names = moved.filter(({ home }) => home === entry).map(({ name }) => `\`${name}\``);
      if (names.length === 0) return [];
      return [`### \`${entry}\``, "", ...(entry === "@toolrack/core" ? ["These stayed in the root:", ""] : []), names.join(", "), ""];
    }),
  ].slice(0, -1);
}
