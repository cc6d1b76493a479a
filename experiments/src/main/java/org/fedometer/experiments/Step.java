package org.fedometer.experiments;

/** The steps of the main job, in order, as the terminal and run.json name them. */
public enum Step {
  COLLECT("collect", "collector"),
  PROVISION("provision", "Fedora provisioned"),
  START("start", "Fedora started"),
  INGEST("ingest", "ingest"),
  DRAIN("drain", "triples flushed"),
  VERIFY("verify", "verified"),
  STOP("stop", "Fedora stopped"),
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
