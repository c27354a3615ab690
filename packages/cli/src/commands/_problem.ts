/** What a person can mend, as the doctor tells it. */
export interface Problem {
  readonly about: string;
  readonly problem: string;
  readonly remedy: string;
}
