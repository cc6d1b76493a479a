package org.fedometer.cli.runs;

import org.fedometer.analysis.compare.Choices;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the warm-up of {@code compare}: {@code auto}, {@code none}, or a number of objects. */
final class WarmUpConverter implements ITypeConverter<Long> {

  @Override
  public Long convert(String value) {
    switch (value) {
      case "auto":
        return Choices.FOUND_WARM_UP;
      case "none":
        return 0L;
      default:
        try {
          long objects = Long.parseLong(value);
          if (objects >= 0) {
            return objects;
          }
        } catch (NumberFormatException e) {
          // Reported below.
        }
        throw new TypeConversionException(
            "'" + value + "' is neither auto, none, nor a number of objects, 0 or more");
    }
  }
}
