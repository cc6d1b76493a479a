package org.fedometer.experiments;

import java.util.Locale;
import org.fedometer.profiles.stack.ProvisioningListener;
import org.fedometer.profiles.stack.ProvisioningStep;

/** Passes on to a job's listener how far a stack has come. */
record StackNews(Step step, JobListener listener) implements ProvisioningListener {

  @Override
  public void stepStarted(ProvisioningStep provisioning) {
    listener.progress(step, Double.NaN, provisioning.label());
  }

  @Override
  public void note(String sentence) {
    listener.note(sentence);
  }

  @Override
  public void transferred(String file, long doneBytes, long totalBytes) {
    if (totalBytes <= 0) {
      listener.progress(step, Double.NaN, file);
      return;
    }
    listener.progress(
        step,
        (double) doneBytes / totalBytes,
        String.format(Locale.ROOT, "%s, %.1f of %.1f MB", file, doneBytes / 1e6, totalBytes / 1e6));
  }
}
