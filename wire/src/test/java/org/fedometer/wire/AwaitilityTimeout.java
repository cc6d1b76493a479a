package org.fedometer.wire;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Sets the default Awaitility timeout of all tests of a module, generous since a busy machine may
 * sync a file in seconds. JUnit loads it as a service if the module's {@code
 * junit-platform.properties} enable that.
 */
public final class AwaitilityTimeout implements BeforeAllCallback {
  /** Shorter than the timeout of most tests, whose message is less informative. */
  private static final Duration TIMEOUT = Duration.ofSeconds(50);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(TIMEOUT);
  }
}
