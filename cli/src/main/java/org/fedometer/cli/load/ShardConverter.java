package org.fedometer.cli.load;

import org.fedometer.driver.request.Shard;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a driver's part such as {@code 3/8}. */
final class ShardConverter implements ITypeConverter<Shard> {
  @Override
  public Shard convert(String text) {
    try {
      return Shard.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
