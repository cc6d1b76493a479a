package org.fedometer.profiles;

import java.util.List;
import java.util.regex.Pattern;

/** What values a setting takes. Used while profile files are read. */
sealed interface SettingType {

  /** Says what is allowed, to end the sentence "expected ...". */
  String allowed();

  /** Whether the text, as written in the file, is such a value. */
  boolean accepts(String text);

  /** A whole number between two bounds, both allowed. */
  record Whole(int minimum, int maximum) implements SettingType {
    @Override
    public String allowed() {
      return "a whole number from " + minimum + " to " + maximum;
    }

    @Override
    public boolean accepts(String text) {
      try {
        int number = Integer.parseInt(text);
        return number >= minimum && number <= maximum;
      } catch (NumberFormatException e) {
        return false;
      }
    }
  }

  /** One of some words. */
  record Word(List<String> words) implements SettingType {
    static final Word TRUE_OR_FALSE = new Word(List.of("true", "false"));

    @Override
    public String allowed() {
      return "one of " + String.join(", ", words);
    }

    @Override
    public boolean accepts(String text) {
      return words.contains(text);
    }
  }

  /** Text of a certain form. */
  record Text(Pattern form, String allowed) implements SettingType {
    static final Text JVM_SIZE =
        new Text(Pattern.compile("[1-9][0-9]*[kmgKMG]"), "a size such as 512m or 2g");
    static final Text POSTGRESQL_SIZE =
        new Text(Pattern.compile("[1-9][0-9]*(kB|MB|GB)"), "a size such as 128MB or 2GB");
    static final Text CLASS_NAME =
        new Text(Pattern.compile("[A-Za-z_][\\w.$]*"), "the name of a Java class");
    static final Text ARTIFACT =
        new Text(
            Pattern.compile("[\\w.-]+(:[\\w.{}-]+){2,4}"),
            "Maven coordinates, group:artifact[:extension[:classifier]]:version");
    static final Text JVM_ARGUMENT =
        new Text(Pattern.compile("-\\S+"), "an argument of the java command, such as -Xss1m");

    @Override
    public boolean accepts(String text) {
      return form.matcher(text).matches();
    }
  }

  /** Any number of values of one type. */
  record Many(SettingType each) implements SettingType {
    @Override
    public String allowed() {
      return "a list, each item " + each.allowed();
    }

    @Override
    public boolean accepts(String text) {
      return each.accepts(text);
    }
  }
}
