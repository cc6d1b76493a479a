package org.fedometer.experiments.job;

import java.util.regex.Pattern;

/** An argument of a command that a user is told of, so that it can be copied. Stateless. */
public final class ShellWord {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@=,-]+");

  private ShellWord() {}

  /** As it is where no shell would make anything else of it, otherwise in single quotes. */
  public static String of(String argument) {
    return PLAIN.matcher(argument).matches()
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }
}
