package org.fedometer.attach;

import java.util.Objects;

/**
 * How certainly a JVM runs Fedora.
 *
 * @param home FEDORA_HOME as its process sees it; empty if unknown
 * @param reason the evidence, for users
 */
public record FedoraEvidence(Certainty certainty, String home, String reason) {

  public enum Certainty {
    /** No evidence. */
    NONE,
    /** A servlet container with something named after Fedora. */
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

  /** Returns whether the agent may attach without {@code --any}. */
  public boolean isLikelyFedora() {
    return certainty != Certainty.NONE;
  }
}
