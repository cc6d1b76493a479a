package org.fedometer.datasets.foxml;

/** Content of a FOXML file that Fedora 3.8.1 accepts although it may be unintended. */
enum FoxmlWarning {
  NO_PID("no PID: Fedora takes that of the request, which is made of the run's namespace"),
  FILE_URL(
      "managed content at a file: URL, which Fedora reads on its own host, if it is there and no"
          + " policy denies it (with XACML on, Fedora's own does)"),
  OTHER_REPOSITORY(
      "managed content in another repository, which Fedora fetches from there, if it answers: an"
          + " export with context=archive has it in the file"),
  DROPPED_CONTENT(
      "content of a kind that its control group does not have, which Fedora drops without a word");

  private final String text;

  FoxmlWarning(String text) {
    this.text = text;
  }

  /** Returns a clause about the content of such files to follow {@code has} or {@code have}. */
  String text() {
    return text;
  }
}
