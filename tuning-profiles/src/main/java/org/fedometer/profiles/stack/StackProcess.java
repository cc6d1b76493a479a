package org.fedometer.profiles.stack;

import java.util.List;

/**
 * A running process of a stack.
 *
 * @param role such as {@code Fedora} or {@code PostgreSQL}
 * @param command whole command line, secrets masked
 */
public record StackProcess(String role, long pid, List<String> command) {
  public StackProcess {
    command = List.copyOf(command);
  }
}
