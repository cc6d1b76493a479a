package org.fedometer.attach;

import java.util.Objects;

/**
 * How sure it is that a JVM runs Fedora.
 *
 * @param home what Fedora calls FEDORA_HOME, as its process sees it; empty where nothing says
 * @param reason what told, for people
 */
public record FedoraEvidence(Certainty certainty, String home, String reason) {

  public enum Certainty {
    /** Nothing speaks for Fedora. */
    NONE,
    /** A servlet container with something that goes by Fedora's name. */
    LIKELY,
    /** Fedora's own settings or libraries. */
    CERTAIN
  }

  public FedoraEvidence {
    Objects.requireNonNull(certainty, "certainty");
    Objects.requireNonNull(home, "home");
    Objects.requireNonNull(reason, "reason");
  }

  static FedoraEvidence none() {
    return new FedoraEvidence(Certainty.NONE, "", "");
  }

  /** Whether the agent may go in without being told that any JVM will do. */
  public boolean isLikelyFedora() {
    return certainty != Certainty.NONE;
  }
}
