package org.fedometer.cli.repository;

import java.io.IOException;
import java.nio.file.Path;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;

/** The stack of {@code --home} for commands that need one there. Stateless. */
final class HomeStack {
  private HomeStack() {}

  /**
   * @throws IllegalArgumentException in words for the user: there is none
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
