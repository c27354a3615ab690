import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadCore } from "../lib/core.mjs";
import { least, most, rank, worstOf } from "./measures.mjs";

/** Which rules were written for a class: to see what the others find of it, they are left out. */
export const rulesWrittenFor = {
  "secret-file": ["secrets"],
  "env-secrets": ["secrets"],
  "conversation-exfil": ["conversation"],
  concealment: ["secrecy"],
  "cross-tool-redirect": ["other-tools"],
  preempt: ["pre-emption"],
  preference: ["preference"],
  "instruction-override": ["override"],
  "fake-role": ["fake-turns"],
  "approval-bypass": ["consent"],
  "privilege-claim": ["rank"],
  "exfil-url": ["outbound", "links"],
  "code-exec": ["commands"],
  "package-install": ["commands"],
  "memory-persist": ["memory"],
  "output-followup": ["obey-output"],
  "guard-disable": ["guards"],
  "foreign-language": ["foreign-language"],
  "phantom-parameter": ["collecting-parameters"],
};

/** What peers publish, or what is known of their rules; none of their code or lists is here. */
const peers = "the best peer's rules find 16 % at 2 % false alarms, the patterns of all peers together 38 % at 3 %";

export async function qualityTables(folder) {
  const { scanTool, scanResult, diffDefinitions } = await loadCore("scan", "trust");
  const rows = (name) =>
    readFileSync(join(folder, `${name}.jsonl`), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const benign = rows("benign").map(({ tool, hard }) => ({ hard, worst: worstOf(scanTool(tool)) }));
  const real = benign.filter(({ hard }) => !hard);
  const alarming = benign.filter(({ hard }) => hard);
  const hostile = rows("hostile").map((row) => {
    const findings = scanTool(row.tool, { among: row.among }).filter(({ severity }) => rank[severity] >= rank[row.want]);
    const without = rulesWrittenFor[row.class] && scanTool(row.tool, { among: row.among, without: rulesWrittenFor[row.class] });
    return {
      found: findings.length > 0,
      place: findings.some(({ path }) => path.startsWith(row.path)),
      others: without && worstOf(without) >= rank[row.want],
    };
  });
  const results = rows("results").map(({ label, text }) => ({ isHostile: label === "hostile", worst: worstOf(scanResult(text)) }));
  const changes = rows("changes").map(({ before, after, verdict, kinds }) => {
    const diff = diffDefinitions(before, after);
    const needsPerson = verdict === "review" || verdict === "dangerous";
    return {
      right: diff.verdict === verdict && kinds.every((kind) => diff.changes.some((change) => change.kind === kind)),
      letThrough: needsPerson && (diff.verdict === "same" || diff.verdict === "compatible"),
    };
  });
  const bad = results.filter(({ isHostile }) => isHostile);
  const good = results.filter(({ isHostile }) => !isHostile);
  const leftOut = hostile.filter(({ others }) => others !== undefined);
  const measures = [
    most("real tools called danger", real, ({ worst }) => worst === 2, 0.01),
    most("real tools called warning or worse", real, ({ worst }) => worst >= 1, 0.05),
    most("alarming but honest tools called danger", alarming, ({ worst }) => worst === 2, 0.07),
    least("hostile definitions found", hostile, ({ found }) => found, 0.8),
    least("… at the right field", hostile, ({ place }) => place, 0.8),
    least("… without the rules written for their class", leftOut, ({ others }) => others, 0.5),
    least("hostile results called danger", bad, ({ worst }) => worst === 2, 0.5),
    least("hostile results called warning or worse", bad, ({ worst }) => worst >= 1, 0.8),
    most("harmless results called danger", good, ({ worst }) => worst === 2, 0.02),
    most("harmless results called warning or worse", good, ({ worst }) => worst >= 1, 0.1),
    least("changes with the right verdict", changes, ({ right }) => right, 0.95),
    most("changes let through although a person is needed", changes, ({ letThrough }) => letThrough, 0),
  ];
  return [
    {
      caption: `Findings, on cases that the rules were written with; ${peers}`,
      columns: ["measure", "share", "of", "target", "verdict"],
      rows: measures,
    },
  ];
}
