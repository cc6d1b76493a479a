package org.fedometer.experiments.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Step;
import org.junit.jupiter.api.Test;

/** How a transfer of an artifact is passed on. */
class StackProgressTest {
  private final List<String> parts = new ArrayList<>();
  private final List<String> updates = new ArrayList<>();
  private final StackProgress progress = new StackProgress(Step.PROVISION, new Listening());

  @Test
  void aTransferOfUnknownLengthIsShownAsAnyProgressAndNoPartOfTheStep() {
    progress.transferred("installer.jar", 0, -1);
    progress.transferred("installer.jar", 2_500_000, -1);

    assertThat(updates).containsExactly("installer.jar, 0.0 MB", "installer.jar, 2.5 MB");
    assertThat(parts).isEmpty();
  }

  @Test
  void showsTheSizeOfATransferOfKnownLength() {
    progress.transferred("installer.jar", 2_500_000, 10_000_000);

    assertThat(parts).containsExactly("0.25 installer.jar, 2.5 of 10.0 MB");
  }

  /** Keeps apart what a log has a line for each of, and what replaces the line before. */
  private final class Listening implements JobListener {
    @Override
    public void started(Step step) {}

    @Override
    public void progress(Step step, double fraction, String text) {
      parts.add(fraction + " " + text);
    }

    @Override
    public void progress(Step step, double fraction, String line, List<String> panel) {
      updates.add(line);
    }

    @Override
    public void finished(Step step, String summary, Duration took) {}

    @Override
    public void note(String text) {}
  }
}
