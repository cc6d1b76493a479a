package org.fedometer.attach;

/** The agent's jar was reached, and said no: there is no agent, or it cannot do what it is told. */
public final class AgentRejectedException extends AttachException {
  private static final long serialVersionUID = 1L;

  AgentRejectedException(String message) {
    super(message);
  }
}
