package org.fedometer.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fedometer.driver.request.LoadChange;
import org.fedometer.driver.request.Outage;
import org.fedometer.driver.request.Pause;
import org.fedometer.experiments.job.HeardNotes;
import org.junit.jupiter.api.Test;

/** What is told and kept while a load runs. */
class LoadNewsTest {
  private static final Outage OUTAGE = new Outage(10, 20, "Connection refused");

  private final HeardNotes notes = new HeardNotes();
  private final KeptLoad kept = new KeptLoad();
  private final KeptCheck check = new KeptCheck();
  private final LoadNews news = new LoadNews(notes, kept, check);

  @Test
  void anOutageIsToldWhenItBeginsAndKeptWhenItIsOver() {
    news.onOutage("Connection refused");

    assertThat(kept.words()).isEmpty();

    news.onRecovery(OUTAGE);

    assertThat(kept.words()).containsExactly("fedora was away from 10 to 20");
    assertThat(notes.notes())
        .containsExactly(
            "Fedora is out of reach, waiting for it: Connection refused", "Fedora is back.");
  }

  @Test
  void anOutageInWhichTheDriverEndsIsKeptAndFedoraIsNotSaidToBeBack() {
    news.onUnended(OUTAGE);

    assertThat(kept.words()).containsExactly("fedora was away from 10 to 20");
    assertThat(notes.notes()).isEmpty();
  }

  @Test
  void whatCannotBeKeptIsToldAndTheLoadGoesOn() {
    kept.fill();

    news.onRecovery(OUTAGE);
    news.onChange(List.of(new Pause(30, 40)), List.of(new LoadChange(35, 8, null)));
    news.onRecheck(1);

    assertThat(notes.notes())
        .containsExactly(
            "Fedora is back.",
            "The outage could not be put on record: No space left on device",
            "The change of the load could not be put on record: No space left on device",
            "The end of the load could not be put on record: No space left on device",
            "Looking whether Fedora has kept 1 object with all triples ...");
  }

  @Test
  void theLookAtWhatFedoraHasKeptIsToldAndCountsEachObject() {
    news.onRecheck(1766);
    news.onRechecked();

    assertThat(notes.notes())
        .containsExactly("Looking whether Fedora has kept 1,766 objects with all triples ...");
    assertThat(check.progress().line()).contains(": 1 of 1,766, ");
    assertThat(kept.words()).containsExactly("checking");
  }

  @Test
  void whatIsIngestedAgainIsToldAndTheLoadIsOverOnlyOnce() {
    news.onRecheck(9);
    news.onIngestAgain(2);
    news.onRecheck(2);

    assertThat(notes.notes())
        .contains("Ingesting 2 of them again, which Fedora had not kept whole ...");
    assertThat(kept.words()).containsExactly("checking");
  }
}
