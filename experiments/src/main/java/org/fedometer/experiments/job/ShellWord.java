package org.fedometer.experiments.job;

import java.util.regex.Pattern;

/** Quotes an argument of a displayed command, to be copied. Stateless. */
public final class ShellWord {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@=,-]+");

  private ShellWord() {}

  /** Returns the argument unchanged if a shell would leave it so, otherwise in single quotes. */
  public static String of(String argument) {
    return PLAIN.matcher(argument).matches()
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }
}
