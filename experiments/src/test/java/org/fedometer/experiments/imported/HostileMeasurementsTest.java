package org.fedometer.experiments.imported;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Whatever a file holds: it is read, or refused in a sentence. */
class HostileMeasurementsTest {
  private static final List<String> PIECES =
      List.of(
          "\n",
          "\r\n",
          "\r",
          ",",
          ";",
          "\t",
          " ",
          "|",
          "\"",
          "\"\"",
          "#",
          "%",
          "//",
          "[",
          "<",
          "\0",
          "-",
          "+",
          ".",
          "0",
          "7",
          "36.5",
          "1e9",
          "1e999999999",
          "1e-999999999",
          "NaN",
          "99999999999999999999",
          "1500000000000",
          "READ",
          "READ,1500000000000,812",
          "Intended-",
          "-FAILED",
          "timeStamp",
          "elapsed",
          "label",
          "success",
          "true",
          "false",
          "timeStamp,elapsed,label\n",
          "1500000000000,12,a\n",
          "1500000000000,85,I,201,Created,U 1-1,text,true\n",
          "\u00E4",
          "\uFEFF",
          "1\n",
          "2 36\n",
          "{\"type\":\"Point\",\"metric\":\"http_req_duration\",\"data\":{\"time\":\"2017-05-09T12:34:46Z\",\"value\":2,\"tags\":{}}}\n",
          "metric_name,timestamp,metric_value\n",
          "http_req_duration,1595325560,1.5\n",
          "REQUEST\t1\t\ta\t1470314361728\t1470314363675\tOK\t \n",
          "{\"results\":[{\"command\":\"x\",\"times\":[1.5,",
          "2],\"exit_codes\":[0]}]}");

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void anyBytesAreReadOrRefused(
      @ForAll ImportFormat format, @ForAll boolean skipBad, @ForAll byte[] bytes)
      throws IOException {
    readsOrRefuses(format, skipBad, bytes);
  }

  @Property(tries = 1500, edgeCases = EdgeCasesMode.NONE)
  void whateverIsMadeOfPiecesOfTheFormatsIsReadOrRefused(
      @ForAll ImportFormat format, @ForAll boolean skipBad, @ForAll("texts") byte[] bytes)
      throws IOException {
    readsOrRefuses(format, skipBad, bytes);
  }

  @Provide
  Arbitrary<byte[]> texts() {
    Arbitrary<byte[]> piece =
        Arbitraries.frequencyOf(
            Tuple.of(9, Arbitraries.of(PIECES).map(text -> text.getBytes(StandardCharsets.UTF_8))),
            Tuple.of(1, Arbitraries.bytes().array(byte[].class).ofMaxSize(3)));
    return piece.list().ofMaxSize(40).map(HostileMeasurementsTest::joined);
  }

  private static byte[] joined(List<byte[]> pieces) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    pieces.forEach(all::writeBytes);
    return all.toByteArray();
  }

  /** Both readings agree, and a collector would accept every value. */
  private static void readsOrRefuses(ImportFormat format, boolean skipBad, byte[] bytes)
      throws IOException {
    ImportedText told;
    try {
      told = ImportedText.of(new ImportChoices(format, null, null, null, skipBad), bytes);
    } catch (UnreadableMeasurementsException e) {
      assertThat(e.getMessage()).startsWith("old.txt: ").hasSizeLessThan(1000);
      assertThat(e.getMessage().chars()).noneMatch(Character::isISOControl);
      return;
    }
    assertThat(told.requests()).hasSize((int) told.overview().requests()).isNotEmpty();
    assertThat(told.overview().firstStartNanos())
        .isBetween(-Numbers.MAX_DURATION_NANOS, told.overview().lastEndNanos());
  }
}
