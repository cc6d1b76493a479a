package org.fedometer.datasets.foxml;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Pattern;

/** Dates as Fedora reads them in FOXML. */
final class FedoraDates {

  /** Fedora cannot read dates with other time zones or finer fractions. */
  private static final Pattern READABLE =
      Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?Z?");

  private FedoraDates() {}

  /** Returns milliseconds since 1970, or null for a date that Fedora treats as missing. */
  static Long millis(String date) {
    if (!READABLE.matcher(date).matches()) {
      return null;
    }
    try {
      return LocalDateTime.parse(date.replace("Z", "")).toInstant(ZoneOffset.UTC).toEpochMilli();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
