/**
 * Who did something: the agent, and the principal behind it, as the sign-in knows it ("key anna", "token https://login.example.com/ 42"). The
 * agent's name alone does not say who it was: a key and a token may both act as "anna". A plain text is an agent without a sign-in, such as a
 * program that uses the library.
 */
export type Author = string | Signed;

interface Signed {
  readonly agent: string;
  readonly principal: string;
  /** Its roles on this server, where the operation depends on them. */
  readonly roles?: ReadonlySet<string>;
}

/** The role with which something was changed, as records keep it: only an admin undoes what an admin did. */
export type AuthorRole = "admin" | "curator";

/** A program that uses the library acts as the admin; everybody else has the roles of the sign-in. */
export function roleOf(author: Author): AuthorRole {
  return typeof author === "string" || author.roles?.has("admin") === true ? "admin" : "curator";
}

/** The name that records and answers show. */
export function agentOf(author: Author): string {
  return typeof author === "string" ? author : author.agent;
}

/** "key anna" by agent "anna"; "" as principal where nobody signed in. For records and the audit: nothing else of an identity is kept. */
export function signedBy(author: Author): Signed {
  return typeof author === "string" ? { agent: author, principal: "" } : { agent: author.agent, principal: author.principal };
}
