package org.fedometer.attach;

/** The agent's jar was reached, but there is no agent, or it rejected the command. */
public final class AgentRejectedException extends AttachException {
  private static final long serialVersionUID = 1L;

  AgentRejectedException(String message) {
    super(message);
  }
}
