import { normalizeToolName } from "../../tool/name.ts";
import type { ListRule } from "../rule.ts";

export const duplicateName: ListRule = {
  id: "duplicate-name",
  severity: "error",
  finds: "Two tools under one name; versions of one tool may stand side by side.",
  checkList(subjects, report) {
    const firsts = new Map<string, string>();
    for (const [index, { name, version }] of subjects.entries()) {
      if (name === undefined) continue;
      const key = `${normalizeToolName(name)}@${version ?? ""}`;
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, name);
      else
        report(
          index,
          first === name ? `Two tools are named "${name}".` : `"${name}" and "${first}" are one name in policies.`,
          "Rename one of them, or give them different versions.",
        );
    }
  },
};
