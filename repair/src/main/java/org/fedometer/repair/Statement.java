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
 * A triple, with the object of Trippi's that it is. Immutable; equal if it says the same: Mulgara
 * gives back {@code 42} where {@code 042} was put in, and takes noughts off the end of a second.
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

  /** All three as {@code RDFUtil.toString(Node)} has them. */
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

  /** Where the type of a literal begins; less than 0 if it has none. */
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

  /** The PID that it is about, or about a datastream of which; null if about neither. */
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

  /** The same for equal statements, and by chance for others. */
  int fingerprint() {
    return (int) PidTable.hash(canonicalForm);
  }

  /** As a line of N-Triples. */
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
