package org.fedometer.experiments.job;

import org.fedometer.store.RunDocument.Phase;

/** The steps of the main job and of an import, in order, as named in the terminal and run.json. */
public enum Step {
  /** For an import: inspects the file. */
  READ(Phase.READ, "measurements read"),
  COLLECT(Phase.COLLECT, "collector"),
  PROVISION(Phase.PROVISION, "Fedora provisioned"),
  START(Phase.START, "Fedora started"),
  INGEST(Phase.INGEST, "ingest"),
  /** Part of a load's end if Fedora may have lost something: see {@link Phase#CHECK}. */
  CHECK(Phase.CHECK, "objects checked"),
  DRAIN(Phase.DRAIN, "triples flushed"),
  VERIFY(Phase.VERIFY, "verified"),
  /** For a scale study, with Fedora stopped. */
  INDEX(Phase.INDEX, "collection indexed"),
  STOP(Phase.STOP, "Fedora stopped"),
  /** For an import: sends the file's contents. */
  IMPORT(Phase.IMPORT, "measurements sent"),
  SEAL(Phase.SEAL, "samples sealed");

  private final String id;
  private final String title;

  Step(String id, String title) {
    this.id = id;
    this.title = title;
  }

  /** Returns the name in run.json. */
  public String id() {
    return id;
  }

  /** Returns the text for the terminal. */
  public String title() {
    return title;
  }
}
