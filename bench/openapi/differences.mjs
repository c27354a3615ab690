/** Why two requests differ, with which one is right by the specification. The first that matches counts. */
const classes = [
  {
    what: "a path value is empty",
    verdict: "refused here: it would be another path",
    test: ({ ours }) => / must not be empty/.test(ours),
  },
  {
    what: "a member of an object has the name of another parameter",
    verdict: "refused here: the server would choose between the two",
    test: ({ ours }) => / must not have the member /.test(ours),
  },
  { what: "another refusal here", verdict: "to be looked at", test: ({ ours }) => !ours.startsWith("{") },
  {
    what: "values inside of values in the query",
    verdict: "open in the specification: `a[b]=` here, JSON there",
    test: ({ left, right }) =>
      only(left, right, "query") &&
      differing(right.query, left.query).length > 0 &&
      differing(right.query, left.query).every((pair) => /[=][{[]/.test(pair)),
  },
  {
    what: "`&` in a value with allowReserved",
    verdict: "encoded here: else it would end the value",
    test: ({ left, right }) =>
      only(left, right, "query") &&
      differing(left.query, right.query).every((pair) => pair.endsWith("&") && right.query.includes(pair.slice(0, -1))),
  },
  {
    what: "an empty text in the query",
    verdict: "sent here as `name=`; swagger-client leaves it out",
    test: ({ left, right }) => only(left, right, "query") && differing(left.query, right.query).every((pair) => pair.endsWith("=")),
  },
  {
    what: "a text as a parameter with the media type JSON",
    verdict: "in quotes here, as JSON is; swagger-client leaves it as it is",
    test: ({ left, right }) => unquoted(left) === unquoted(right),
  },
  {
    what: "a value of the path that swagger-client does not fill in",
    verdict: "filled in here",
    test: ({ right }) => /\{[^/]*\}/.test(right.path),
  },
  { what: "other differences of the query", verdict: "to be looked at", test: ({ left, right }) => only(left, right, "query") },
  { what: "the path", verdict: "to be looked at", test: ({ left, right }) => left.path !== right.path },
  {
    what: "headers",
    verdict: "to be looked at",
    test: ({ left, right }) => JSON.stringify(left.headers) !== JSON.stringify(right.headers),
  },
  {
    what: "the body of a media type that nobody knows, such as application/form-data",
    verdict: "the same value: written as JSON here, left to what sends it there",
    test: ({ left, right }) => typeof left.body === "string" && left.body === JSON.stringify(right.body),
  },
  { what: "the body", verdict: "to be looked at", test: () => true },
];

export function classOf(one) {
  const [left, right] = [one.ours, one.theirs].map((text) => (text.startsWith("{") ? JSON.parse(text) : {}));
  return classes.find(({ test }) => test({ ...one, left, right })).what;
}

export const verdictOf = (what) => classes.find((one) => one.what === what).verdict;

const differing = (some, others) => some.filter((pair) => !others.includes(pair));

/** Path and query without quotes. */
function unquoted({ path, query, ...rest }) {
  const plain = (text) => text.replaceAll('"', "");
  return JSON.stringify([plain(path), query.map(plain).toSorted(), rest]);
}

function only(left, right, part) {
  const rest = (form) => JSON.stringify({ ...form, [part]: 0 });
  return rest(left) === rest(right);
}
