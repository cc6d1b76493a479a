package org.fedometer.profiles.stack.program;

/** The steps from a profile to a Fedora that answers, in order. */
public enum ProvisioningStep {
  /** Java, disk, ports. */
  PREFLIGHT("check this machine"),
  /** Downloads, unless the local repository has them. */
  ARTIFACTS("fetch Fedora and what it needs"),
  /** Fedora's own installer. */
  INSTALL("install Fedora"),
  /** An empty database cluster. */
  CREATE_DATABASE("create the database"),
  /** Ports, passwords, the profile's settings. */
  CONFIGURE("configure Fedora"),
  /** The database server, where there is one. */
  START_DATABASE("start the database"),
  /** Waits until Fedora describes itself. */
  START_FEDORA("start Fedora"),
  /** Alone, because parallel first logins break Fedora 3.8.1. */
  LOG_IN("log in for the first time");

  private final String label;

  ProvisioningStep(String label) {
    this.label = label;
  }

  /** Returns the step's description for users, such as {@code install Fedora}. */
  public String label() {
    return label;
  }
}
