package org.fedometer.experiments.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.journal.IndexRanges;
import org.junit.jupiter.api.Test;

class FailedPidsTest {
  private static final Dataset DATASET =
      Datasets.open("collections", new DatasetOptions("c", PidForm.NUMERIC, 2700));

  private final IndexRanges failed = new IndexRanges();

  @Test
  void listsAllFailedPidsWithinTheLimit() {
    failed.add(7);
    failed.add(3);

    FailedPids pids = FailedPids.of(DATASET, failed, 2);

    assertThat(new String(pids.document(), StandardCharsets.UTF_8))
        .isEqualTo(DATASET.object(3).pid() + "\n" + DATASET.object(7).pid() + "\n");
    assertThat(pids.leftOut()).isEmpty();
  }

  @Test
  void reportsHowManyExceedTheLimit() {
    for (int index = 0; index < 1200; index++) {
      failed.add(index);
    }

    FailedPids pids = FailedPids.of(DATASET, failed, 2);

    assertThat(pids.text().lines()).hasSize(2);
    assertThat(pids.leftOut())
        .hasValue(
            "failed-pids.txt names the first 2 of 1,200 failed objects; a later"
                + " verification knows only the number of the others.");
  }
}
