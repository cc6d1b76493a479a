package org.fedometer.cli.repository;

import java.io.IOException;
import java.nio.file.Path;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;

/** Finds the stack of {@code --home}. Stateless. */
final class HomeStack {
  private HomeStack() {}

  /**
   * @throws IllegalArgumentException if there is none, with a message for the user
   */
  static Stack in(Path home) throws IOException {
    return StackRegistry.ofUser()
        .find(home)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    home
                        + " holds no stack; name the home of 'fedometer stack up' or 'run --keep-home'"));
  }
}
