import type { ListRule } from "../rule.ts";

const many = 40;
const vendorLimit = 128;

export const tooManyTools: ListRule = {
  id: "too-many-tools",
  severity: "info",
  finds: `Lists of more than ${many} tools, among which models choose worse, or more than ${vendorLimit}, which some vendors refuse.`,
  checkList(subjects, report) {
    if (subjects.length <= many) return;
    const isRefused = subjects.length > vendorLimit;
    const consequence = isRefused ? `some vendors take at most ${vendorLimit}` : `models choose worse among more than ${many}`;
    report(
      undefined,
      `The list has ${subjects.length} tools, and ${consequence}.`,
      "Offer fewer at a time: by bundle, policy or search.",
      isRefused ? "warning" : "info",
    );
  },
};
