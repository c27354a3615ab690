import { splitId } from "../attacks/rows.mjs";

/** What each series of numbers is about. */
const chapters = {
  S: "Attacks on tool systems",
  SD: "Attacks on this server's own parts",
  SI: "Attacks on sign-in and connected accounts",
  AH: "Attacks on agents and their hosts",
  TD: "Attacks on roles and on the availability for others",
};

/** The page of attacks, from the rows of scripts/attacks. */
export function attackTables(rows) {
  return Object.entries(chapters).flatMap(([letters, title]) => {
    const own = rows.filter(({ id }) => splitId(id)[0] === letters);
    const lines = [...new Set(own.map(toLine))];
    return lines.length === 0 ? [] : ["", `## ${title}`, "", "| id | attack | what shows the defence |", "| --- | --- | --- |", ...lines];
  });
}

function toLine({ id, attack, test, name, later, note }) {
  const shown = test === undefined ? `not built yet: ${later}` : `[${shortFile(test)}](../../${test}): \`${cell(name)}\``;
  const more = [note, test === undefined || later === undefined ? undefined : `Not built yet: ${later}.`].filter(Boolean).join(" ");
  return `| ${id} | ${cell(attack)} | ${shown}${more === "" ? "" : `. ${cell(more)}`} |`;
}

/** "packages/server/test/attacks.test.ts" → "server: attacks.test.ts" */
function shortFile(file) {
  return file.replace(/^packages\//, "").replace("/test/", ": ");
}

function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
