/**
 * Who did something: the agent, and the principal behind it, as the sign-in knows it ("key anna", "token https://login.example.com/ 42"). The
 * agent's name alone does not say who it was: a key and a token may both act as "anna". A plain text is an agent without a sign-in, such as a
 * program that uses the library.
 */
export type Author = string | Signed;

interface Signed {
  readonly agent: string;
  readonly principal: string;
}

/** The name that records and answers show. */
export function agentOf(author: Author): string {
  return typeof author === "string" ? author : author.agent;
}

/** "key anna" by agent "anna"; "" as principal where nobody signed in. For records and the audit: nothing else of an identity is kept. */
export function signedBy(author: Author): Signed {
  return typeof author === "string" ? { agent: author, principal: "" } : { agent: author.agent, principal: author.principal };
}
