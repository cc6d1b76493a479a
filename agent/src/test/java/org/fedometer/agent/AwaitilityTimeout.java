package org.fedometer.agent;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has tests wait for another JVM as long as a busy machine may take: all of this JVM, since classes
 * run beside each other and Awaitility has one limit for all.
 */
final class AwaitilityTimeout implements BeforeAllCallback {

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(AgentJvm.TIMEOUT);
  }
}
