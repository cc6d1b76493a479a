package org.fedometer.agent;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Has a class of tests wait for another JVM as long as a busy machine may take. */
final class PatientTests implements BeforeAllCallback, AfterAllCallback {

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(AgentJvm.PATIENCE);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Awaitility.reset();
  }
}
