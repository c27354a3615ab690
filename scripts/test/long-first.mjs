import { BaseSequencer } from "vitest/node";

/** Whose tests install packages and start programs one after the other: begun last, they would run on when all else is done. */
const long = "programs";

/** The usual order, by project, with the longest files first. */
export class LongFirst extends BaseSequencer {
  async sort(files) {
    const rank = ({ project }) => (project.name === long ? 0 : 1);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
