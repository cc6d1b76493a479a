package org.fedometer.datasets.foxml;

import java.util.regex.Pattern;

/** Names in the form that XML Schema defines for identifiers. */
final class XmlNames {

  /** Unicode's classes are a little wider than the tables of XML 1.0. */
  private static final Pattern WITHOUT_COLON =
      Pattern.compile("[\\p{L}_][\\p{L}\\p{N}\\p{M}._\\u00B7-]*");

  private XmlNames() {}

  static boolean isNameWithoutColon(String name) {
    return WITHOUT_COLON.matcher(name).matches();
  }
}
