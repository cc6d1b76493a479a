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
              + "' is no process's number; 'fedometer agent list' lists running Fedoras with"
              + " theirs");
    }
    return Long.valueOf(value);
  }
}
