package org.fedometer.profiles;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Versions of Java in a profile file: {@code 17}, {@code 8-13} or {@code 15+}. */
record JavaVersions(int first, int last) {

  private static final Pattern FORM = Pattern.compile("(\\d{1,3})(?:-(\\d{1,3})|(\\+))?");

  static Optional<JavaVersions> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    int first = Integer.parseInt(form.group(1));
    int last = first;
    if (form.group(2) != null) {
      last = Integer.parseInt(form.group(2));
    } else if (form.group(3) != null) {
      last = Integer.MAX_VALUE;
    }
    return last < first ? Optional.empty() : Optional.of(new JavaVersions(first, last));
  }

  boolean hold(int version) {
    return version >= first && version <= last;
  }
}
