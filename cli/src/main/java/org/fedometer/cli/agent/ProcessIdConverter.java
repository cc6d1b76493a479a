package org.fedometer.cli.agent;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

final class ProcessIdConverter implements ITypeConverter<Long> {

  @Override
  public Long convert(String value) {
    if (!value.matches("[1-9][0-9]{0,9}")) {
      throw new TypeConversionException(
          "'"
              + value
              + "' is not a process id; 'fedometer agent list' shows those of running Fedoras");
    }
    return Long.valueOf(value);
  }
}
