package org.fedometer.attach;

/** The agent's jar was reached, and said no: there is no agent, or it cannot do what it is told. */
public final class AgentRefusedException extends AttachException {
  private static final long serialVersionUID = 1L;

  AgentRefusedException(String message) {
    super(message);
  }
}
