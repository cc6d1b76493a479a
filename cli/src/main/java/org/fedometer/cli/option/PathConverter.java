package org.fedometer.cli.option;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.fedometer.wire.FailureText;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses paths of all options; rejects an empty one, which would be the current folder. */
public final class PathConverter implements ITypeConverter<Path> {

  @Override
  public Path convert(String name) {
    if (name.isBlank()) {
      throw new TypeConversionException("the value is empty; give a path, or leave the option out");
    }
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw new TypeConversionException(FailureText.of(e));
    }
  }
}
