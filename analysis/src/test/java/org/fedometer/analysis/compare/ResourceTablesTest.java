package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.fedometer.store.RunDocument;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceTablesTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "8, max 100000, 8",
        "8, 150000 100000, 1.5",
        "1, 150000 100000, 1",
        "-, 150000 100000, 1.5",
        "8, -, 8",
        "many, what ever, -",
        "0, -1 0, -"
      })
  void aContainersQuotaCountsWhereItIsLessThanTheMachine(
      String count, String quota, Double processors) throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("cpu.count", count);
    environment.put("cpu.quota", quota);
    StoredRun run = new StoredRun(folder, "any");
    run.objects = 1;
    run.environment = environment;
    RunDocument document = run.write().document();

    assertThat(ResourceTables.processors(document)).isEqualTo(processors);
  }
}
