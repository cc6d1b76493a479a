package org.fedometer.profiles;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The valid values of a setting. */
sealed interface SettingType {

  /** Returns the allowed values, to end the sentence "expected ...". */
  String allowed();

  boolean accepts(String text);

  /** A whole number between two inclusive bounds. */
  record WholeNumber(int minimum, int maximum) implements SettingType {
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

  /** A whole number of some unit between two inclusive bounds. */
  record Quantity(Units units, String minimum, String maximum) implements SettingType {

    static final Quantity HEAP = new Quantity(Units.JVM, "1m", "1024g");

    @Override
    public String allowed() {
      return "%s, from %s to %s".formatted(units.example(), minimum, maximum);
    }

    @Override
    public boolean accepts(String text) {
      Optional<BigInteger> amount = units.amount(text);
      return amount.isPresent()
          && amount.get().compareTo(bound(minimum)) >= 0
          && amount.get().compareTo(bound(maximum)) <= 0;
    }

    private BigInteger bound(String text) {
      return units.amount(text).orElseThrow();
    }
  }

  enum Units {
    /** Java's units of bytes. */
    JVM(
        "a size such as 512m or 2g",
        Map.of(
            "k", 1L << 10, "m", 1L << 20, "g", 1L << 30, "K", 1L << 10, "M", 1L << 20, "G",
            1L << 30)),
    /** PostgreSQL's units of bytes. */
    POSTGRESQL(
        "a size such as 128MB or 2GB", Map.of("kB", 1L << 10, "MB", 1L << 20, "GB", 1L << 30)),
    /** PostgreSQL's units of seconds. */
    POSTGRESQL_TIME(
        "a time such as 30s, 5min or 1h", Map.of("s", 1L, "min", 60L, "h", 3600L, "d", 86_400L)),
    /** InnoDB's units of bytes; it rounds to whole mebibytes. */
    INNODB("a size such as 128M or 2G", Map.of("M", 1L << 20, "G", 1L << 30));

    private static final Pattern FORM = Pattern.compile("([1-9][0-9]*)([A-Za-z]+)");

    private final String example;
    private final Map<String, Long> factors;

    Units(String example, Map<String, Long> factors) {
      this.example = example;
      this.factors = factors;
    }

    String example() {
      return example;
    }

    /** Returns bytes or seconds, of any size; empty if the text is no such quantity. */
    Optional<BigInteger> amount(String text) {
      Matcher form = FORM.matcher(text);
      return form.matches() && factors.containsKey(form.group(2))
          ? Optional.of(
              new BigInteger(form.group(1))
                  .multiply(BigInteger.valueOf(factors.get(form.group(2)))))
          : Optional.empty();
    }
  }

  record Word(List<String> words) implements SettingType {
    static final Word TRUE_OR_FALSE = of("true", "false");
    static final Word ON_OR_OFF = of("on", "off");

    static Word of(String... words) {
      return new Word(List.of(words));
    }

    @Override
    public String allowed() {
      return "one of " + String.join(", ", words);
    }

    @Override
    public boolean accepts(String text) {
      return words.contains(text);
    }
  }

  record Text(Pattern form, String allowed) implements SettingType {
    static final Text JAVA_VERSION =
        of("current|[1-9][0-9]?", "a version such as 17, or current for the Java of Fedometer");
    static final Text CLASS_NAME = of("[A-Za-z_][\\w.$]*", "the name of a Java class");
    static final Text ARTIFACT =
        of(
            "[\\w.-]+(:[\\w.{}-]+){2,4}",
            "Maven coordinates, group:artifact[:extension[:classifier]]:version");
    static final Text DRIVER =
        of(
            "war|[\\w.-]+(:[\\w.-]+){2,4}",
            "war for the driver that Fedora brings, or Maven coordinates of another one");
    static final Text JVM_ARGUMENT = of("-\\S+", "an argument of the java command, such as -Xss1m");
    static final Text JAVA_HOME =
        of("auto|/\\S*", "auto or the absolute path of a Java's folder, without blanks");
    static final Text FOLDER =
        of("default|/\\S*", "default or the absolute path of a folder, without blanks");
    static final Text FILE =
        of("none|/\\S*", "none or the absolute path of a file, without blanks");
    static final Text PROGRAMS =
        of(
            "binaries|system|/\\S*",
            "binaries (from Maven), system (installed ones), or the absolute path of their"
                + " folder, without blanks");
    static final Text JDBC_URL =
        of(
            // A run records the URL, but must not record a password.
            "none|jdbc:(postgresql|mysql)://[\\w.-]+(:\\d{1,5})?/[\\w-]+"
                + "(\\?(?!(?i:\\S*(user=|passw)))[^\\s?@]*)?",
            "none or a URL such as jdbc:postgresql://HOST:PORT/DATABASE, without user and password");
    static final Text USER = of("[\\w.@-]+", "the name of a database user");
    static final Text DIGEST =
        of(
            "none|MD5|SHA-1|SHA-256|SHA-384|SHA-512",
            "none, MD5, SHA-1, SHA-256, SHA-384 or SHA-512");
    static final Text PROTOCOL =
        of(
            "[A-Za-z_][\\w.$]*",
            "the class of a Tomcat connector (HTTP/1.1 means another one where libtcnative"
                + " is installed)");

    private static Text of(String form, String allowed) {
      return new Text(Pattern.compile(form), allowed);
    }

    @Override
    public boolean accepts(String text) {
      return form.matcher(text).matches();
    }
  }

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
