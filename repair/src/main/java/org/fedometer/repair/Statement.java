package org.fedometer.repair;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * A triple with its Trippi object. Immutable. Equal if the meaning is equal: Mulgara returns {@code
 * 42} for {@code 042}, and drops trailing zeros of seconds.
 */
final class Statement {

  private static final String SCHEMA = "http://www.w3.org/2001/XMLSchema#";
  private static final Set<String> INTEGERS =
      new HashSet<>(
          Arrays.asList(
              "integer",
              "long",
              "int",
              "short",
              "byte",
              "nonNegativeInteger",
              "nonPositiveInteger",
              "positiveInteger",
              "negativeInteger",
              "unsignedLong",
              "unsignedInt",
              "unsignedShort",
              "unsignedByte"));

  private final Object triple;
  private final String subject;
  private final String predicate;
  private final String object;
  private final String canonicalForm;

  /** Creates a statement from texts in the form of {@code RDFUtil.toString(Node)}. */
  Statement(Object triple, String subject, String predicate, String object) {
    this.triple = triple;
    this.subject = subject;
    this.predicate = predicate;
    this.object = object;
    this.canonicalForm = subject + " " + predicate + " " + canonicalForm(object);
  }

  private static String canonicalForm(String object) {
    int type = typeOf(object);
    if (type < 0 || !object.startsWith(SCHEMA, type)) {
      return object;
    }
    String name = object.substring(type + SCHEMA.length());
    String value = object.substring(1, type - "\"^^".length());
    try {
      return value(name, value.trim()) + object.substring(type);
    } catch (NumberFormatException | DateTimeException e) {
      return object;
    }
  }

  /** Returns the start of a literal's type; negative if it has none. */
  private static int typeOf(String object) {
    int mark = object.startsWith("\"") ? object.lastIndexOf("\"^^") : -1;
    return mark < 0 ? -1 : mark + "\"^^".length();
  }

  private static String value(String type, String text) {
    if (INTEGERS.contains(type)) {
      return new BigInteger(text).toString();
    }
    switch (type) {
      case "decimal":
        return new BigDecimal(text).stripTrailingZeros().toPlainString();
      case "double":
        return Double.toString(Double.parseDouble(text));
      case "float":
        return Float.toString(Float.parseFloat(text));
      case "boolean":
        return text.equals("1") ? "true" : text.equals("0") ? "false" : text;
      case "dateTime":
        return instant(text).truncatedTo(ChronoUnit.MILLIS).toString();
      default:
        return text;
    }
  }

  private static LocalDateTime instant(String text) {
    try {
      return OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
    } catch (DateTimeException e) {
      return LocalDateTime.parse(text);
    }
  }

  Object triple() {
    return triple;
  }

  /** Returns the PID that it concerns directly or through a datastream; null if there is none. */
  String pid() {
    String prefix = "<info:fedora/";
    if (!subject.startsWith(prefix)) {
      return null;
    }
    int slash = subject.indexOf('/', prefix.length());
    return subject.substring(prefix.length(), slash < 0 ? subject.length() - 1 : slash);
  }

  String subject() {
    return subject;
  }

  /** Returns a number that is equal for equal statements, and by chance for others. */
  int fingerprint() {
    return (int) PidTable.hash(canonicalForm);
  }

  /** Returns the statement as a line of N-Triples. */
  String line() {
    int type = typeOf(object);
    String typed =
        type < 0 ? object : object.substring(0, type) + "<" + object.substring(type) + ">";
    return subject + " " + predicate + " " + typed + " .";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Statement && canonicalForm.equals(((Statement) other).canonicalForm);
  }

  @Override
  public int hashCode() {
    return canonicalForm.hashCode();
  }

  @Override
  public String toString() {
    return line();
  }
}
