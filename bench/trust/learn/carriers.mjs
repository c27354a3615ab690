/** Texts in which a sentence of our own is put, so that neither its place nor its neighbours tell what it is. "{}" is the sentence. */
const carriers = [
  "{}",
  "{}\n\nThe shop has two floors. The lift is next to the entrance.",
  "Subject: Minutes of Tuesday\n\nThanks for coming. We agreed on the second draft.\n{}\n\nBest regards,\nJo",
  "## Storing tomatoes\nKeep them at room temperature. {} They last for about a week.",
  '{"items":[{"id":4,"title":"Lamp","note":"{}"},{"id":5,"title":"Desk","note":"Oak, 120 cm."}]}',
  "The build took four minutes. All 212 checks passed.\n{}",
  "def area(w, h):\n    # width and height in metres\n    # {}\n    return w * h\n",
  "Title: The page does not scroll\nBody: It stops at the second picture. I use version 3.2.\n{}\nLabels: bug",
  "<p>The museum opens at ten.</p><p>{}</p><p>Tickets are sold at the door.</p>",
  "- Bring your own cup\n- {}\n- The room is on the left",
  "Great kettle, boils fast. {} Would buy it again.",
  "10:02 worker started\n10:03 {}\n10:05 worker stopped",
];

/** The text with the sentence in it, and where the sentence begins. */
export function carry(sentence, index) {
  const carrier = carriers[(index * 5) % carriers.length];
  const start = carrier.indexOf("{}");
  return { text: `${carrier.slice(0, start)}${sentence}${carrier.slice(start + 2)}`, start };
}
