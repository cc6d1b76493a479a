package org.fedometer.experiments.imported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  private static final ImportChoices MILLIS = ImportedText.choices(ImportFormat.DURATIONS);

  @Test
  void eachLineIsAnIngestThatBeginsWhenTheLastHasEnded() throws Exception {
    ImportedText told = ImportedText.of(MILLIS, "36\n41.5\n\n0.25\n");

    assertThat(told.requests())
        .containsExactly(
            "0 ingest 0 0+36000 200 ", "1 ingest 0 36000+41500 200 ", "2 ingest 0 77500+250 200 ");
    assertThat(told.overview().workers()).isEqualTo(1);
    assertThat(told.overview().timesKnown()).isFalse();
    assertThat(told.overview().resolutionNanos()).isEqualTo(10_000);
    assertThat(told.notes())
        .contains("each request is assumed to start when the one before it ends")
        .contains("set to 1970-01-01");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1 36\n2 41\n",
        "1\t36\n2\t41\n",
        "1,36\n2,41\n",
        "1;36\n2;41",
        "  1 ;  36 \r\n2 ; 41\r\n"
      })
  void anIndexMayComeFirstWhateverSeparatesIt(String text) throws Exception {
    assertThat(ImportedText.of(MILLIS, text).requests())
        .containsExactly("0 ingest 0 0+36000 200 ", "1 ingest 0 36000+41000 200 ");
  }

  @Test
  void commentsAndALineOfNamesArePassedOverAndCounted() throws Exception {
    ImportedText told =
        ImportedText.of(
            MILLIS, "\uFEFF# MySQL, no resource index\n% ms\n\"no\";\"ms\"\n1;36\n// end\n");

    assertThat(told.requests()).hasSize(1);
    assertThat(told.notes())
        .contains("Skipped: 3 comments, the first in line 1.")
        .contains("Skipped: 1 line that names columns, the first in line 3.");
  }

  @Test
  void aUnitCanBeGivenAndATimeOfTheFirst() throws Exception {
    ImportChoices choices =
        new ImportChoices(
            ImportFormat.DURATIONS,
            DurationUnit.S,
            null,
            Instant.parse("2008-05-12T14:03:00Z"),
            false);
    ImportedText told = ImportedText.of(choices, "0.036\n1e-3\n");

    assertThat(told.requests())
        .containsExactly(
            "0 ingest 0 1210600980000000+36000 200 ", "1 ingest 0 1210600980036000+1000 200 ");
    assertThat(told.overview().timesKnown()).isTrue();
    assertThat(told.notes()).contains("the first at 2008-05-12T14:03:00Z");
  }

  @Test
  void aBrokenLineRefusesTheFileWithTheFirstAndHowMany() {
    assertThatThrownBy(() -> ImportedText.of(MILLIS, "36\nabc\n41\n-3\n1 2 3\n"))
        .isInstanceOf(UnreadableMeasurementsException.class)
        .hasMessageContaining(
            "old.txt: 3 lines are broken, the first: line 2: \"abc\" is not a number")
        .hasMessageContaining("--skip-invalid");
  }

  @Test
  void skipsAndReportsBrokenLinesIfRequested() throws Exception {
    ImportedText told =
        ImportedText.of(ImportedText.skippingBad(ImportFormat.DURATIONS), "36\nabc\n41\n-3\n");

    assertThat(told.requests()).hasSize(2);
    assertThat(told.notes()).contains("2 lines were broken and are left out, the first: line 2:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "36\n-1\n", // negative
        "36\nNaN\n",
        "36\nInfinity\n",
        "36\n1e300\n",
        "36\n1e999999999\n",
        "36\n99999999999999999999999999\n",
        "36\n2592000001\n", // 30 days and 1 ms
        "36\n1 36\n", // an index where there was none
        "1 36\n36\n",
        "1 36\n2.5 36\n",
        "1 36 7\n",
        "1,,36\n",
        ",36\n",
        "36,\n",
        "3\u00006\n",
        "36\n\u0000\u0000\n",
        "36\n0x10\n",
        "36\n\u0661\u0662\n" // digits, but not ours
      })
  void whatIsNoDurationIsRefusedWithItsLine(String text) {
    assertThatThrownBy(() -> ImportedText.of(MILLIS, text))
        .isInstanceOf(UnreadableMeasurementsException.class)
        .hasMessageMatching("(?s)old.txt: (1 line is broken: |.*NUL bytes).*");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "36,2\n35,8\n37,1\n",
        "36,2\n36,4\n37,1\n",
        "36\n35,8\n37,1\n", // whole by chance
        "1;36,2\n2;35\n",
        "1 36\n2 35,8\n"
      })
  void decimalCommasRefuseTheFileWhateverIsToBeLeftOut(String text) {
    assertThatThrownBy(
            () -> ImportedText.of(ImportedText.skippingBad(ImportFormat.DURATIONS), text))
        .isInstanceOf(UnreadableMeasurementsException.class)
        .hasMessageMatching("old.txt: line [12]: .*commas seem to be decimal commas.*");
  }

  @Test
  void aSingleLineWithACommaMayBeEither() {
    assertThatThrownBy(
            () -> ImportedText.of(ImportedText.skippingBad(ImportFormat.DURATIONS), "36,2\n"))
        .isInstanceOf(UnreadableMeasurementsException.class)
        .hasMessageContaining("may end an index or start a fraction");
  }

  @ParameterizedTest
  @ValueSource(strings = {"inf", "Infinity", "NULL", "timeout", "nan 36", "\"n/a\""})
  void whatStandsForNoNumberNamesNoColumn(String line) {
    assertThatThrownBy(() -> ImportedText.of(MILLIS, line + "\n36\n"))
        .hasMessageContaining("1 line is broken: line 1:");
  }

  @Test
  void aColumnMayBeCalledNanos() throws Exception {
    assertThat(ImportedText.of(MILLIS, "nanos\n36\n").notes())
        .contains("1 line that names columns");
  }

  @Test
  void doesNotParseADecimalCommaAsAnIndex() {
    assertThatThrownBy(() -> ImportedText.of(MILLIS, "36,2\n41,7\n36,9\n"))
        .hasMessageContaining("line 3: the index 36 comes after 41")
        .hasMessageContaining("write points instead");
  }

  @Test
  void verySmallAndVeryLongWrittenNumbersAreRoundedToNanoseconds() {
    assertThat(nanos("1e-999999999", 1_000_000)).isZero();
    assertThat(nanos("0.0000005", 1_000_000)).isEqualTo(1);
    assertThat(nanos("0.00000049999", 1_000_000)).isZero();
    assertThat(nanos("12.345678901234567890123456789", 1_000_000)).isEqualTo(12_345_679);
    assertThat(nanos("2592000000", 1_000_000)).isEqualTo(Numbers.MAX_DURATION_NANOS);
    assertThat(nanos("2592000000.000001", 1_000_000)).isEqualTo(Numbers.TOO_LARGE);
    assertThat(nanos("+5.", 1000)).isEqualTo(5000);
    assertThat(nanos(".5", 1000)).isEqualTo(500);
    assertThat(nanos("-0", 1000)).isZero();
    assertThat(nanos("", 1000)).isEqualTo(Numbers.NO_NUMBER);
    assertThat(nanos("1".repeat(100), 1000)).isEqualTo(Numbers.NO_NUMBER);
  }

  private static long nanos(String text, long unit) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Numbers.durationNanos(bytes, 0, bytes.length, unit);
  }

  @Test
  void durationsThatAddUpToCenturiesAreAnotherUnit() {
    String month = "2592000000\n";
    assertThatThrownBy(() -> ImportedText.of(MILLIS, month.repeat(1300)))
        .hasMessageContaining("add up to more than 100 years");
  }

  @Test
  void aFileWithoutAMeasurementIsRefused() {
    assertThatThrownBy(() -> ImportedText.of(MILLIS, "# nothing\n"))
        .hasMessageContaining("it has no measurement of --format durations");
    assertThatThrownBy(() -> ImportedText.of(MILLIS, ""))
        .hasMessageContaining("it has no measurement");
  }

  @Test
  void reportsCommasBetweenThousands() {
    assertThatThrownBy(() -> ImportedText.of(MILLIS, "1,234.5\n1,300.1\n"))
        .hasMessageContaining("line 2: the index 1 comes after 1")
        .hasMessageContaining("commas seem to separate thousands; leave them out");
  }

  @Test
  void reportsAnIndexThatDoesNotIncrease() {
    assertThatThrownBy(() -> ImportedText.of(MILLIS, "1,36.2\n1,40.1\n"))
        .hasMessageContaining("line 2: the index 1 comes after 1")
        .hasMessageContaining("do not increase as an index does; write a semicolon");
  }
}
