package org.fedometer.experiments.host;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.plan.PageCache;
import org.fedometer.store.StoredExperiment;

/**
 * Prepares the page cache before each run of an experiment by its file. Confined to the
 * experiment's thread.
 */
public final class PageCachePreparation {
  private static final String NOT_DROPPED =
      "The page cache is not dropped before runs: a run may find data that an earlier one"
          + " has read.";

  private final boolean coldRequested;
  private final JobListener listener;
  private final List<String> notes;
  private PageCache pageCache;
  private boolean changeReported;

  /**
   * @param wanted null for cold if possible
   */
  public PageCachePreparation(PageCache wanted, JobListener listener) {
    this.coldRequested = wanted == PageCache.COLD;
    this.listener = listener;
    this.pageCache =
        wanted != null ? wanted : LinuxPageCache.canBeDropped() ? PageCache.COLD : PageCache.WARM;
    this.notes =
        wanted == null && pageCache == PageCache.WARM
            ? List.of(NOT_DROPPED + " Only root may drop it.")
            : List.of();
  }

  public List<String> notes() {
    return notes;
  }

  /**
   * @throws IOException if the request exceeds this user's permissions
   */
  public void require() throws IOException {
    if (coldRequested && !LinuxPageCache.canBeDropped()) {
      throw new IOException(
          "page-cache: cold is not possible: only root may drop the page cache, outside"
              + " containers. Write 'page-cache: warm' into the file, or run the experiment as"
              + " root.");
    }
  }

  /**
   * Drops the cache, unless it is to stay.
   *
   * @throws IOException if it was requested and failed
   */
  public PageCache prepare() throws IOException, InterruptedException {
    if (pageCache == PageCache.WARM) {
      return pageCache;
    }
    try {
      LinuxPageCache.drop();
    } catch (IOException e) {
      if (coldRequested) {
        throw new IOException("The page cache could not be dropped: " + Reason.of(e), e);
      }
      listener.note(NOT_DROPPED + " Dropping it fails: " + Reason.of(e));
      pageCache = PageCache.WARM;
    }
    return pageCache;
  }

  /**
   * Reports, once, that earlier runs had another page cache: without a request, it depends on the
   * user.
   */
  public void compareWith(List<StoredExperiment.Run> earlier) {
    Optional<String> other =
        earlier.stream()
            .map(run -> run.at().pageCache())
            .filter(before -> before != null && !before.equals(pageCache.id()))
            .findFirst();
    if (other.isPresent() && !changeReported) {
      changeReported = true;
      listener.note(
          "Earlier runs had page-cache: "
              + other.get()
              + ", later runs have "
              + pageCache.id()
              + ": runs of one repetition may differ. Set page-cache in the file to make all runs"
              + " alike.");
    }
  }
}
