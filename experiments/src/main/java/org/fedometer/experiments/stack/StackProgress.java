package org.fedometer.experiments.stack;

import java.util.List;
import java.util.Locale;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Step;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.profiles.stack.program.ProvisioningStep;

/** Forwards a stack's progress to a job's listener. */
public record StackProgress(Step step, JobListener listener) implements ProvisioningListener {

  @Override
  public void stepStarted(ProvisioningStep provisioning) {
    listener.progress(step, Double.NaN, provisioning.label());
  }

  @Override
  public void note(String text) {
    listener.note(text);
  }

  @Override
  public void transferred(String file, long doneBytes, long totalBytes) {
    if (totalBytes <= 0) {
      // Called for each chunk; a log has no line for each.
      String line = String.format(Locale.ROOT, "%s, %.1f MB", file, doneBytes / 1e6);
      listener.progress(step, Double.NaN, line, List.of(line));
      return;
    }
    listener.progress(
        step,
        (double) doneBytes / totalBytes,
        String.format(Locale.ROOT, "%s, %.1f of %.1f MB", file, doneBytes / 1e6, totalBytes / 1e6));
  }
}
