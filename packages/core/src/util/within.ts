export type Outcome<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown };

/** The outcome of work, or a timeout. Never rejects; late work continues. */
export async function within<Value>(work: Promise<Value>, timeoutMs: number): Promise<Outcome<Value>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome<Value>>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, error: new Error(`No answer within ${timeoutMs} ms.`) }), timeoutMs);
  });
  const done = work.then(
    (value): Outcome<Value> => ({ ok: true, value }),
    (error: unknown): Outcome<Value> => ({ ok: false, error }),
  );
  const outcome = await Promise.race([done, late]);
  clearTimeout(timer);
  return outcome;
}
