import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { placeFor } from "../lib/peers.mjs";
import { ajvJudge, toolrackJudge, typeboxJudge } from "./judges.mjs";

const targetPercent = 99.8;
const drafts = [
  { dialect: "2020-12", folder: "draft2020-12" },
  { dialect: "draft-07", folder: "draft7" },
];
const subjects = [
  { name: "Toolrack", load: toolrackJudge, needs: [], target: targetPercent },
  { name: "ajv", load: ajvJudge, needs: ["ajv"] },
  { name: "typebox", load: typeboxJudge, needs: ["typebox"] },
];

export const howToScore = {
  caption: "The official JSON-Schema-Test-Suite was not scored",
  columns: ["what", "how"],
  rows: [
    ["get it", "git clone --depth 1 https://github.com/json-schema-org/JSON-Schema-Test-Suite"],
    ["score it", "npm run bench:schema -- JSON-Schema-Test-Suite"],
  ],
};

/** Scores the required tests of the suite in a folder: what is right of all, an exception counting as wrong. */
export async function scoreSuite(folder) {
  const remotes = readRemotes(folder);
  const rows = [];
  for (const { dialect, folder: draft } of drafts) {
    const groups = readGroups(join(testsOf(folder), draft));
    for (const { name, load, needs, target } of subjects) {
      const { notRun } = placeFor(needs);
      if (notRun) {
        rows.push([`${name}, ${dialect}`, "not run", "", "", notRun]);
        continue;
      }
      const { passed, total } = score(groups, await load({ remotes, dialect }));
      const percent = (100 * passed) / total;
      const verdict = target === undefined ? "" : percent >= target ? "ok" : "over";
      rows.push([
        `${name}, ${dialect}`,
        `${passed} of ${total}`,
        `${percent.toFixed(2)} %`,
        target === undefined ? "" : `≥ ${target} %`,
        verdict,
      ]);
    }
  }
  return {
    caption: "The official JSON-Schema-Test-Suite, required tests",
    columns: ["what", "passed", "score", "target", "verdict"],
    rows,
  };
}

function score(groups, compile) {
  let passed = 0;
  let total = 0;
  for (const { schema, tests } of groups) {
    const check = attempt(() => compile(schema));
    for (const { data, valid } of tests) {
      total++;
      if (check !== undefined && attempt(() => check(data)) === valid) passed++;
    }
  }
  return { passed, total };
}

function attempt(run) {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** A clone of the suite has its tests in a folder of that name; a copy may hold them directly. */
function testsOf(folder) {
  return readdirSync(folder).includes("tests") ? join(folder, "tests") : folder;
}

function readGroups(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) => readJson(join(folder, file)));
}

/** The documents that the suite expects at http://localhost:1234, by URI. */
function readRemotes(folder) {
  const root = join(folder, "remotes");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  return Object.fromEntries(
    files.map((file) => [`http://localhost:1234/${relative(root, join(root, file)).replaceAll("\\", "/")}`, readJson(join(root, file))]),
  );
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
