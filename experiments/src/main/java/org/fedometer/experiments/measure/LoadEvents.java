package org.fedometer.experiments.measure;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.driver.request.LoadChange;
import org.fedometer.driver.request.Outage;
import org.fedometer.driver.request.Pause;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.load.LoadDocument;
import org.fedometer.experiments.load.LoadRecord;

/**
 * Reports outages, recoveries and waits of a load to the user, and records outages and changes for
 * a resume. Thread-safe.
 *
 * @param check gets the progress of the durability check
 */
record LoadEvents(JobListener listener, LoadRecord loadRecord, DurabilityCheck check)
    implements RequestListener {
  @Override
  public void onRequest(RequestEvent event) {
    // Shown as a sum by the progress line, and listed in the report.
  }

  @Override
  public void onOutage(String reason) {
    listener.note("Fedora is unreachable, waiting for it: " + reason);
  }

  @Override
  public void onRecovery(Outage outage) {
    listener.note("Fedora is back.");
    recordOutage(outage);
  }

  @Override
  public void onOutageAtEnd(Outage outage) {
    recordOutage(outage);
  }

  private void recordOutage(Outage outage) {
    try {
      loadRecord.recordOutage(LoadDocument.outage(outage));
    } catch (IOException e) {
      listener.note("The outage could not be recorded: " + Reason.of(e));
    }
  }

  @Override
  public void onChange(List<Pause> pauses, List<LoadChange> changes) {
    try {
      loadRecord.changed(LoadDocument.pauses(pauses), LoadDocument.changes(changes));
    } catch (IOException e) {
      listener.note("The change of the load could not be recorded: " + Reason.of(e));
    }
  }

  @Override
  public void onAwaiting(String pid) {
    listener.note("Waiting for objects of other drivers of this run, such as " + pid + " ...");
  }

  @Override
  public void onRecheck(long objects) {
    if (!check.hasBegun()) {
      recordLoadEnd();
    }
    check.begin(objects);
    listener.note(
        "Checking that Fedora has kept "
            + NumberFormats.count(objects, "object")
            + " with all triples ...");
  }

  /** Records it for a resume, in case this driver is killed during the check. */
  private void recordLoadEnd() {
    try {
      loadRecord.checking();
    } catch (IOException e) {
      listener.note("The end of the load could not be recorded: " + Reason.of(e));
    }
  }

  @Override
  public void onRechecked() {
    check.checked();
  }

  @Override
  public void onReingest(long objects) {
    listener.note(
        String.format(
            Locale.ROOT,
            "Ingesting %,d of them again, which Fedora has lost at least in part ...",
            objects));
  }
}
