package org.fedometer.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberFormatsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0              | 0 ns
          812            | 812 ns
          999            | 999 ns
          1000           | 1.00 µs
          3120           | 3.12 µs
          9996           | 10.0 µs
          45600          | 45.6 µs
          999400         | 999 µs
          999600         | 1.00 ms
          12345678       | 12.3 ms
          999400000      | 999 ms
          999600000      | 1.00 s
          1234000000000  | 1,234 s
          9999400000000  | 9,999 s
          9999600000000  | 2.78 h
          100000000000000| 27.8 h
          -45600         | -45.6 µs
          """)
  void writesDurationsWithThreeDigitsAndAUnit(long nanos, String expected) {
    assertThat(NumberFormats.duration(nanos)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0      | 0.00
          3.209  | 3.21
          198.44 | 198.4
          999.96 | 1,000
          12044  | 12,044
          """)
  void writesRates(double perSecond, String expected) {
    assertThat(NumberFormats.rate(perSecond)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0       | 0.0 %
          0.0001  | <0.1 %
          0.0005  | 0.1 %
          0.1234  | 12.3 %
          1       | 100.0 %
          """)
  void writesShares(double share, String expected) {
    assertThat(NumberFormats.share(share)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0             | 0 B
          999           | 999 B
          1000          | 1.00 kB
          20480         | 20.5 kB
          999600        | 1.00 MB
          14000000000000| 14.0 TB
          """)
  void writesBytes(long bytes, String expected) {
    assertThat(NumberFormats.bytes(bytes)).isEqualTo(expected);
  }
}
