/** Attacks on parts that do not exist yet. Each becomes a test with the part that it is about. */

const people = "comes with sign-in of people and connected accounts";

const signIn = [
  "a sign-in link is opened by somebody else than the one it was made for",
  "a sign-in callback arrives without the cookie of its beginning",
  "a sign-in callback is sent twice",
  "an identity provider answers in the name of another one, also in its errors",
  "a provider that announces its name leaves it out of an answer",
  "the metadata of a provider names another issuer than the one asked",
  "a resource claims to belong to another origin",
  "an address found during discovery is, redirects to, or turns into a private one",
  "the page for authorization is no https address",
  "the address to return to leads to another site",
  "a forged Host header changes where a sign-in returns to",
  "a session was planted before its owner signed in",
  "another site sends a request with the session cookie",
  "a token that was made for something else is used to call the API",
  "a token has no signature, a shared-secret one, or brings its own key",
  "two providers give the same name to two people",
  "the caller's own token is sent on to a connected service",
  "a connected service is re-pointed and receives a token of the old one",
  "acting as somebody else uses that person's connected accounts",
  "a token turns up in a log, an error, an event or an export",
  "a service echoes the header that it was sent",
  "an admin of one tenant reaches another tenant",
  "a stored token is copied to another person's row",
  "an account that was disconnected on one server still works on another",
  "floods of started sign-ins or unknown keys fill the memory",
];

export const rows = signIn.map((attack, index) => ({ id: `SI${index + 1}`, attack, later: people }));
