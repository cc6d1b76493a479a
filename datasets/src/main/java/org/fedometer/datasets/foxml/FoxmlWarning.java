package org.fedometer.datasets.foxml;

/** Content of a FOXML file that Fedora 3.8.1 accepts although it may be unintended. */
enum FoxmlWarning {
  NO_PID("no PID: Fedora uses that of the request, which is in the run's namespace"),
  FILE_URL(
      "managed content at a file: URL, which Fedora reads on its own host: the file"
          + " must exist there, and no policy may deny it (Fedora's default XACML policy"
          + " does)"),
  OTHER_REPOSITORY(
      "managed content in another repository, from which Fedora fetches it: export"
          + " with context=archive to have it in the file"),
  DROPPED_CONTENT(
      "content of a kind that its control group does not have: Fedora drops it silently");

  private final String text;

  FoxmlWarning(String text) {
    this.text = text;
  }

  /** Returns a clause about the content of such files to follow {@code has} or {@code have}. */
  String text() {
    return text;
  }
}
