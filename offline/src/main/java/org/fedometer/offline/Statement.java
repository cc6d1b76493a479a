package org.fedometer.offline;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A triple, with the object of Trippi's that it is. Immutable; equal if it says the same. */
final class Statement {

  private static final String DATE_TIME = "^^http://www.w3.org/2001/XMLSchema#dateTime";

  /** Triplestores leave out noughts at the end of a second. */
  private static final Pattern FRACTION = Pattern.compile("(\\.\\d*?)0*(Z?\")$");

  private final Object triple;
  private final String subject;
  private final String predicate;
  private final String object;

  /** All three as {@code RDFUtil.toString(Node)} has them. */
  Statement(Object triple, String subject, String predicate, String object) {
    this.triple = triple;
    this.subject = subject;
    this.predicate = predicate;
    this.object = object.endsWith(DATE_TIME) ? shortest(object) : object;
  }

  private static String shortest(String dateTime) {
    String literal = dateTime.substring(0, dateTime.length() - DATE_TIME.length());
    Matcher fraction = FRACTION.matcher(literal);
    if (fraction.find()) {
      String digits = fraction.group(1).equals(".") ? "" : fraction.group(1);
      literal = literal.substring(0, fraction.start()) + digits + fraction.group(2);
    }
    return literal + DATE_TIME;
  }

  Object triple() {
    return triple;
  }

  /** The object's PID that it is about, or about a datastream of which; null if about neither. */
  String pid() {
    return pid(subject);
  }

  static String pid(String subject) {
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
    return (int) PidTable.hash(subject + " " + predicate + " " + object);
  }

  /** As a line of N-Triples. */
  String line() {
    int type = object.startsWith("\"") ? object.lastIndexOf("\"^^") : -1;
    String typed =
        type < 0 ? object : object.substring(0, type + 3) + "<" + object.substring(type + 3) + ">";
    return subject + " " + predicate + " " + typed + " .";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Statement && line().equals(((Statement) other).line());
  }

  @Override
  public int hashCode() {
    return line().hashCode();
  }

  @Override
  public String toString() {
    return line();
  }
}
