package org.fedometer.wire;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has all tests of a room wait for what they wait for without a limit of their own as long as a
 * busy machine may take, which syncs a file in seconds then. JUnit finds it as a service where the
 * room's {@code junit-platform.properties} let it.
 */
public final class AwaitilityTimeout implements BeforeAllCallback {
  /** Less than most tests may take, which tell less of what they waited for. */
  private static final Duration TIMEOUT = Duration.ofSeconds(50);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(TIMEOUT);
  }
}
