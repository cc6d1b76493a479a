package org.fedometer.experiments.stack;

import java.util.List;
import java.util.Locale;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Step;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.profiles.stack.program.ProvisioningStep;

/** Passes on to a job's listener how far a stack has come. */
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
      // Of each piece that comes; a log has no line for each.
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
