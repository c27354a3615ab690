/** Attacks on parts that do not exist yet. Each becomes a test with the part that it is about. */

const people = "comes with sign-in of people and connected accounts";
const browser = "comes with the browser tools";
const settings = "comes with the tool that changes settings";
/** Its row is in another file. */
const built = undefined;
const messages = "comes with the message tools";
const media = "comes with the media tools";

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

const agentsAndHosts = [
  ["a page in the browser calls the server's own API", browser],
  ["a public page redirects the browser to a private address", browser],
  ["an image, a socket, a pop-up or a frame reaches a private address", browser],
  ["a name changes its address between the check and the connection", browser],
  ["the browser is sent to a local file or an internal page", browser],
  ["a download leaves its folder, or an upload comes from outside of the workspace", browser],
  ["text on a page tells the agent to change settings", settings],
  ["an agent changes sign-in, policy, secrets or approvals, or reads a secret from settings", settings],
  ["a schedule is made without a person, or because a document said so", built],
  ["a schedule runs with rights that its maker has lost", built],
  ["schedules make schedules without end", built],
  ["an agent reads, steers or ends the session of another", built],
  ["a child agent gets a tool that its parent does not have", built],
  ["agents start agents without end", built],
  ["two agents answer each other for ever", built],
  ["a message claims to come from a person or from the system", built],
  ["the history shows a secret that a tool once printed", built],
  ["a message goes to a recipient who is not on the list", messages],
  ["a message is sent twice because the server stopped in between", built],
  ["a webhook leads to a private address", built],
  ["an incoming hook is replayed, changed or unsigned", built],
  ["a drawn page reads cookies or calls the API", media],
  ["spoken text is read as an option, or a file is far larger than it says", media],
  ["a model answers with a million calls, or with one that never ends", built],
  ["the server is killed in the middle of a run", built],
];

export const rows = [
  ...signIn.map((attack, index) => ({ id: `SI${index + 1}`, attack, later: people })),
  ...agentsAndHosts.map(([attack, later], index) => ({ id: `AH${index + 1}`, attack, later })).filter(({ later }) => later !== built),
];
