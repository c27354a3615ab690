/** Questions that a failed call returned and that wait for it to be repeated. Each answer is valid for one call. */
export interface PendingQuestions {
  ask(question: string): void;
  /** True once for each question that was asked. */
  answer(question: string): boolean;
}

export function createPendingQuestions(maxPending = 10_000): PendingQuestions {
  const pending = new Map<string, number>();
  return {
    ask(question) {
      const count = (pending.get(question) ?? 0) + 1;
      pending.delete(question);
      pending.set(question, count);
      if (pending.size > maxPending) pending.delete(pending.keys().next().value!);
    },
    answer(question) {
      const count = pending.get(question);
      if (count === undefined) return false;
      if (count === 1) pending.delete(question);
      else pending.set(question, count - 1);
      return true;
    },
  };
}
