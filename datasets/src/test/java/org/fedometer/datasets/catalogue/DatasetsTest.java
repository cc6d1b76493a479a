package org.fedometer.datasets.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.Parameter;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.UnknownDatasetException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetsTest {

  private static final DatasetOptions OPTIONS = DatasetOptions.unlimited("fm");

  private static final Path PAGE = Path.of("..").resolve(DatasetKind.PAGE);

  @Test
  void anUnknownDatasetIsAnsweredByTheListOfThoseThatExist() {
    assertThatThrownBy(() -> Datasets.open("patient:seed=1", OPTIONS))
        .isInstanceOf(UnknownDatasetException.class)
        .hasMessage(
            "there is no dataset 'patient'; there are: patents, patents-xml, foxml, ndltd, collections,"
                + " nested, files, container-binary, datastreams");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "patents:size=3 | no parameter 'size'; it has: scale, seed, dc, real-pdf",
        "patents:real-pdf=yes | real-pdf of dataset patents must be true or false, not 'yes'",
        "patents:dc=none | cannot be 'none'; it can be: per-object, same",
        "patents:huge | cannot be 'huge'; it can be: paper, us-fulltext, small",
        "patents:seed=x | must be a whole number, not 'x'",
        "patents:seed= | seed of dataset patents has no value",
        "patents:small,scale=paper | scale of dataset patents is given twice",
        "patents-xml | needs a directory: patents-xml:DIR",
        "patents-xml:skip-invalid=true | needs a directory: patents-xml:DIR",
        "patents-xml:/no/such,skip-invalid=1 | skip-invalid of dataset patents-xml must be true or false",
        "patents:skip-invalid=true | no parameter 'skip-invalid'",
        "patents-xml:/no/such/place | no such directory: /no/such/place (",
        "patents-xml:/no/such,place=1 | no such directory: /no/such,place=1 (",
      })
  void aWrongParameterIsAnsweredByWhatIsAllowed(String spec, String message) {
    assertThatThrownBy(() -> Datasets.open(spec, OPTIONS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void thePageMatchesTheDatasets() throws Exception {
    List<String> rows =
        Files.readAllLines(PAGE).stream()
            .dropWhile(line -> !line.startsWith("| dataset | main parameter |"))
            .takeWhile(line -> !line.isEmpty())
            .skip(2)
            .map(line -> line.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"))
            .toList();

    assertThat(rows)
        .containsExactlyElementsOf(Datasets.kinds().stream().map(DatasetsTest::row).toList());
  }

  private static String row(DatasetKind kind) {
    List<String> cells = kind.parameters().stream().map(DatasetsTest::cell).toList();
    String main = cells.isEmpty() ? "" : cells.get(0);
    String others = String.join("; ", cells.subList(Math.min(1, cells.size()), cells.size()));
    String row = "| `%s` | %s | %s | %s |";
    return row.formatted(kind.name(), main, others, kind.description()).replaceAll(" +", " ");
  }

  private static String cell(Parameter<?> parameter) {
    return "`%s`: %s%s"
        .formatted(
            parameter.name(),
            parameter.values(),
            parameter.standard().map(standard -> " (" + standard + ")").orElse(""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "patents",
        "ndltd",
        "collections",
        "nested",
        "files",
        "container-binary",
        "datastreams"
      })
  void documentedDefaultsAreTheActualDefaults(String name) {
    Map<String, String> taken = Datasets.open(name, OPTIONS).parameters();

    assertThat(Datasets.kind(name).parameters())
        .allSatisfy(
            parameter ->
                assertThat(taken)
                    .containsEntry(parameter.name(), parameter.standard().orElseThrow()));
  }

  @Test
  void aBareValueIsTheMainParameter() {
    assertThat(Datasets.open("patents:small,seed=7", OPTIONS).parameters())
        .containsEntry("scale", "small")
        .containsEntry("seed", "7")
        .containsEntry("pids", "named");
  }

  @Test
  void optionsRefuseWhatCannotWork() {
    assertThatThrownBy(() -> DatasetOptions.unlimited("my space"))
        .hasMessageContaining("'my space' cannot be a PID namespace");
    assertThatThrownBy(() -> DatasetOptions.unlimited("a".repeat(24)))
        .hasMessageContaining("1 to 23 letters");
    assertThatThrownBy(() -> OPTIONS.withLiteralLimitBytes(100))
        .hasMessageContaining("at least 200");
    assertThatThrownBy(() -> PidForm.named("guid"))
        .hasMessage("PIDs cannot be 'guid'; they can be: named, numeric");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "patents:scale=small,seed=7,dc=same,real-pdf=false",
        "ndltd:workload=W7,levels=2,seed=3",
        "collections",
        "nested",
        "files:bytes=77,seed=4",
        "container-binary:max=2000,min=100,seed=5",
        "datastreams:max=9,bytes=10,seed=6",
      })
  void aDatasetIsOpenedAgainFromWhatIsOnRecordOfIt(String spec) {
    Dataset before = Datasets.open(spec, new DatasetOptions("fm", PidForm.NUMERIC, 300));

    Dataset again = Datasets.reopen(before.name(), before.parameters());

    assertThat(again.parameters()).isEqualTo(before.parameters());
    assertThat(again.object(1).pid()).isEqualTo(before.object(1).pid());
  }

  @Test
  void aDatasetThatWouldMakeOtherObjectsNowIsRefused() {
    Map<String, String> recorded =
        new HashMap<>(Datasets.open("patents:small", OPTIONS).parameters());
    recorded.put("textPoolSha256", "of another version");

    assertThatThrownBy(() -> Datasets.reopen("patents", recorded))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "the dataset patents has changed since the run: textPoolSha256 was of another version and is");
  }
}
