package org.fedometer.datasets.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.catalogue.Datasets;

class DatasetStatisticsTest {

  @Property(tries = 500)
  void barsJoinEachOtherAndHoldEveryValue(
      @ForAll @NotEmpty List<@LongRange(min = 0, max = 1L << 40) Long> values) {
    Distribution distribution = distribution(values);

    List<Distribution.Bar> bars = distribution.histogram();

    assertThat(bars).hasSizeBetween(1, 12);
    assertThat(bars.stream().mapToLong(Distribution.Bar::count).sum()).isEqualTo(values.size());
    assertThat(bars.get(0).from()).isEqualTo(distribution.min());
    assertThat(bars.get(bars.size() - 1).to()).isGreaterThan(distribution.max());
    for (int i = 0; i < bars.size(); i++) {
      Distribution.Bar bar = bars.get(i);
      assertThat(bar.count())
          .isEqualTo(
              values.stream().filter(value -> value >= bar.from() && value < bar.to()).count());
      assertThat(bar.from()).isLessThan(bar.to());
      assertThat(i == 0 ? bar.from() : bars.get(i - 1).to()).isEqualTo(bar.from());
    }
  }

  @Property(tries = 500)
  void minMaxAndMeanAreExactAndQuantilesWithinOnePerMille(
      @ForAll @NotEmpty List<@LongRange(min = 0, max = 1L << 50) Long> values,
      @ForAll @DoubleRange(min = 0, max = 1) double share) {
    Distribution distribution = distribution(values);

    List<Long> sorted = values.stream().sorted().toList();
    assertThat(distribution.count()).isEqualTo(values.size());
    assertThat(distribution.min()).isEqualTo(sorted.get(0));
    assertThat(distribution.max()).isEqualTo(sorted.get(sorted.size() - 1));
    long sum = values.stream().mapToLong(Long::longValue).sum();
    assertThat(distribution.mean()).isEqualTo((double) sum / values.size());
    long exact = sorted.get(Math.max(0, (int) Math.ceil(share * sorted.size()) - 1));
    assertThat(distribution.quantile(share)).isCloseTo(exact, within(exact / 1000));
  }

  @Example
  void theLargestValueHasItsBucketAndLargerOnesAreRefused() {
    Distribution distribution = distribution(List.of(0L, (1L << 60) - 1, 1L << 60));

    assertThat(distribution.quantile(0.6)).isCloseTo(1L << 60, within(1L << 51));
    assertThat(distribution.histogram()).hasSizeLessThanOrEqualTo(12);
    assertThatThrownBy(() -> distribution.add((1L << 60) + 1)).hasMessageContaining("0 to 2^60");
    assertThatThrownBy(() -> distribution.add(-1)).hasMessageContaining("not -1");
  }

  @Example
  void showsTheStudyValuesAndGroupsNumberedDatastreams() throws Exception {
    DatasetStatistics records = statistics("ndltd:W2");
    assertThat(records.measures())
        .filteredOn(measure -> !measure.study().isEmpty())
        .extracting(DatasetStatistics.Measure::name, DatasetStatistics.Measure::study)
        .containsExactly(
            tuple("dc fields", "6 to 28, mean 10.6"),
            tuple("dc record", "585 to 5,361 B, mean 1,359 B"));
    assertThat(measure(statistics("nested"), "statements added").max()).isEqualTo(1);
    DatasetStatistics many = statistics("datastreams:max=100,bytes=10");
    assertThat(measure(many, "file DS*").count()).isEqualTo(30 * (1 + 10 + 100));
    assertThat(many.deflation())
        .extracting(DatasetStatistics.Deflation::datastream)
        .containsExactly("DS*");
  }

  private static DatasetStatistics statistics(String spec) throws IOException {
    return DatasetStatistics.of(
        Datasets.open(spec, DatasetOptions.unlimited("fm")), 0, 90, done -> {});
  }

  /** In a JVM whose heap holds one object in ten of those measured. */
  @Example
  void aSampleNeedsTheMemoryOfOneObject() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-cp",
                System.getProperty("java.class.path"),
                LargeObjects.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output.strip()).isEqualTo("320 of 1048576 bytes");
  }

  /** Runs in the child: measures objects of a megabyte each, held by the object. */
  static final class LargeObjects implements Dataset {

    public static void main(String[] arguments) throws Exception {
      Distribution content =
          measure(DatasetStatistics.of(new LargeObjects(), 0, 320, done -> {}), "content");
      System.out.println(content.count() + " of " + content.quantile(0.5) + " bytes");
    }

    @Override
    public RepositoryObject object(long index) {
      return new ComposedObject(
          "fm:" + index, "", List.of(new Held(new byte[1 << 20])), List.of(), List.of());
    }

    @Override
    public String name() {
      return "large";
    }

    @Override
    public Map<String, String> parameters() {
      return Map.of();
    }

    @Override
    public long meanObjectBytes() {
      return 1 << 20;
    }

    @Override
    public int maxLiteralBytes() {
      return 0;
    }
  }

  private record Held(byte[] bytes) implements ContentStream {

    @Override
    public String id() {
      return "FULLTEXT";
    }

    @Override
    public String label() {
      return "";
    }

    @Override
    public String mediaType() {
      return "text/xml";
    }

    @Override
    public long sizeBytes() {
      return bytes.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }
  }

  private static Distribution distribution(List<Long> values) {
    Distribution distribution = new Distribution();
    values.forEach(distribution::add);
    return distribution;
  }

  @Example
  void quantilesAreValuesThatOccur() {
    Distribution distribution = distribution(List.of(9L, 1L, 3L, 7L, 5L));

    assertThat(distribution.min()).isEqualTo(1);
    assertThat(distribution.max()).isEqualTo(9);
    assertThat(distribution.mean()).isEqualTo(5);
    assertThat(distribution.quantile(0.5)).isEqualTo(5);
    assertThat(distribution.quantile(0.95)).isEqualTo(9);
    assertThat(distribution.quantile(0)).isEqualTo(1);
  }

  @Example
  void aSampleOfThePaperScaleIsLikeTheStudy() throws Exception {
    DatasetStatistics figures =
        DatasetStatistics.of(
            Datasets.open("patents", DatasetOptions.unlimited("fm")), 1000, 300, done -> {});

    assertThat(measure(figures, "triples").mean()).isCloseTo(54, within(2.0));
    assertThat(measure(figures, "dc fields").min()).isEqualTo(10);
    assertThat(measure(figures, "content streams").max()).isEqualTo(3);
    assertThat(measure(figures, "file FULLTEXT").count()).isEqualTo(300);
    assertThat(measure(figures, "foxml request").min())
        .isGreaterThan(measure(figures, "content").min());
    assertThat(figures.deflation())
        .extracting(DatasetStatistics.Deflation::datastream)
        .containsExactlyInAnyOrder("FULLTEXT", "PDF", "IMAGE");
    assertThat(figures.deflation().get(0).ratio()).isBetween(0.20, 0.25);
    assertThat(figures.deflation().get(0).study()).startsWith("0.20 to 0.25");
  }

  @Example
  void shortDocumentsAreHeldAgainstShortOnes() throws Exception {
    DatasetStatistics figures =
        DatasetStatistics.of(
            Datasets.open("patents:small", DatasetOptions.unlimited("fm")), 0, 200, done -> {});

    assertThat(figures.deflation().get(0).study()).startsWith("0.34 to 0.40").contains("3 to 4 KB");
  }

  @Example
  void aSampleHasAnObject() {
    assertThatThrownBy(
            () ->
                DatasetStatistics.of(
                    Datasets.open("patents:small", DatasetOptions.unlimited("fm")),
                    0,
                    0,
                    done -> {}))
        .hasMessageContaining("at least one object");
  }

  private static Distribution measure(DatasetStatistics figures, String name) {
    return figures.measures().stream()
        .filter(measure -> measure.name().equals(name))
        .findFirst()
        .orElseThrow()
        .distribution();
  }
}
