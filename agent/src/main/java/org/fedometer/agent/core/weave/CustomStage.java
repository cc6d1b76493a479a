package org.fedometer.agent.core.weave;

import java.util.regex.Pattern;

/** A custom stage: a name and the text of a pointcut. Immutable. */
public final class CustomStage {

  /** Dotted kebab-case, as for built-in stages. */
  private static final Pattern NAME =
      Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*(\\.[a-z][a-z0-9]*(-[a-z0-9]+)*)*");

  private static final int MAX_NAME_CHARACTERS = 100;

  private final String name;
  private final String pointcut;
  private final CustomPointcut parsed;

  /**
   * @throws IllegalArgumentException with one sentence: the error and its remedy
   */
  CustomStage(String name, String pointcut) {
    if (name.length() > MAX_NAME_CHARACTERS || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is not a stage name; use lower-case letters, digits and single '-', parts joined"
              + " by dots, at most "
              + MAX_NAME_CHARACTERS
              + " characters, for example my.find-reader");
    }
    this.name = name;
    this.pointcut = pointcut;
    try {
      this.parsed = CustomPointcut.parse(pointcut);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("custom stage " + name + ": " + e.getMessage());
    }
  }

  String name() {
    return name;
  }

  String pointcut() {
    return pointcut;
  }

  CustomPointcut parsed() {
    return parsed;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CustomStage
        && ((CustomStage) other).name.equals(name)
        && ((CustomStage) other).pointcut.equals(pointcut);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + pointcut.hashCode();
  }

  @Override
  public String toString() {
    return name + "=" + pointcut;
  }
}
