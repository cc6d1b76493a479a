package org.fedometer.experiments;

/** The steps of the main job and of an import, in order, as the terminal and run.json name them. */
public enum Step {
  /** Of an import: looks through the file. */
  READ("read", "measurements read"),
  COLLECT("collect", "collector"),
  PROVISION("provision", "Fedora provisioned"),
  START("start", "Fedora started"),
  INGEST("ingest", "ingest"),
  DRAIN("drain", "triples flushed"),
  VERIFY("verify", "verified"),
  STOP("stop", "Fedora stopped"),
  /** Of an import: sends what is in the file. */
  IMPORT("import", "measurements sent"),
  SEAL("seal", "samples sealed");

  private final String id;
  private final String title;

  Step(String id, String title) {
    this.id = id;
    this.title = title;
  }

  /** Name in run.json. */
  public String id() {
    return id;
  }

  /** Words for the terminal. */
  public String title() {
    return title;
  }
}
