package org.fedometer.agent;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Sets a generous Awaitility timeout for tests that wait for another JVM on a busy machine. It
 * applies to this whole JVM, since classes run concurrently and Awaitility has one default for all.
 */
final class AwaitilityTimeout implements BeforeAllCallback {

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(AgentJvm.TIMEOUT);
  }
}
