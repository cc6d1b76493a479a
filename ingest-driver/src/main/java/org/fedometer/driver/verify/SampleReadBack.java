package org.fedometer.driver.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.fedometer.datasets.CarriedContent;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.IngestTally;
import org.fedometer.driver.mix.MixedObjects;
import org.fedometer.driver.object.ReadBack;
import org.fedometer.wire.Counted;
import org.fedometer.wire.FailureText;

/**
 * Reads back a random sample of the ingested objects, and looks up a sample of purged ones. One
 * instance per verification, for its conducting thread; has a few reader threads.
 */
final class SampleReadBack {

  /** Maximum number of content streams read per object; all names are compared. */
  private static final int MAX_CONTENTS = 100;

  private final FedoraClient client;
  private final Dataset dataset;
  private final Dataset expected;
  private final Verifier.Options options;
  private final ContentDelivery delivery;
  private final IngestResult ingest;

  /** Null without a mix. */
  private final MixedObjects mixed;

  /** Guards itself and the counts: an abandoned reader may still add to them. */
  private final List<String> found = new ArrayList<>();

  private long objects;
  private long equal;
  private long bytes;

  /** Sampled objects missing in Fedora that may not have been ingested. */
  private long absent;

  /**
   * @param expected the dataset in Fedora after the ingest
   */
  SampleReadBack(
      FedoraClient client,
      Dataset dataset,
      Dataset expected,
      Verifier.Options options,
      ContentDelivery delivery,
      IngestResult ingest) {
    this.client = client;
    this.dataset = dataset;
    this.expected = expected;
    this.options = options;
    this.delivery = delivery;
    this.ingest = ingest;
    this.mixed =
        ingest.mix() == null
            ? null
            : new MixedObjects(dataset, ingest.mix(), ingest.failures().notIngested()::contains);
  }

  /**
   * Reads back a sample. If all statements were added, they are expected; otherwise the objects
   * that others add to are excluded, and the triples show the loss. If the ingested objects are not
   * all known, a missing object is excluded, since the count reveals it.
   */
  Verifier.Compared readBack(List<String> problems, List<String> notes) {
    Set<Long> chosen = sample();
    if (mixed != null) {
      mixed.replay(chosen);
    }
    List<Long> indices = List.copyOf(chosen);
    AtomicInteger next = new AtomicInteger();
    String failure = null;
    try {
      Readers.run(
          client,
          Math.min(options.threads(), indices.size()),
          () -> {
            read(indices, next);
            return null;
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = "The verification was interrupted.";
    } catch (ExecutionException e) {
      failure = "The verification itself failed: " + FailureText.of(e.getCause());
    }
    synchronized (found) {
      if (failure != null) {
        found.add(failure);
      }
      problems.addAll(found.subList(0, Math.min(found.size(), Verifier.MAX_REPORTED_PROBLEMS)));
      if (found.size() > Verifier.MAX_REPORTED_PROBLEMS) {
        problems.add(
            "... and "
                + (found.size() - Verifier.MAX_REPORTED_PROBLEMS)
                + " more of the same sample.");
      }
      if (absent > 0) {
        notes.add(
            String.format(
                Locale.ROOT,
                "%s left out of the sample, as not in Fedora: only the first %,d of the %,d that"
                    + " were not ingested are known.",
                Counted.of(absent, "object is", "objects are"),
                IngestTally.MAX_NOT_INGESTED,
                ingest.count(Count.FAILED) + ingest.count(Count.ABANDONED)));
      }
      return new Verifier.Compared(objects, equal, bytes);
    }
  }

  /**
   * Returns distinct indices of ingested objects, in order. If all statements were added, always
   * includes leading objects, which reveal missing additions.
   */
  private Set<Long> sample() {
    boolean allAdded =
        ingest.failures().notIngested().isEmpty() && ingest.count(Count.FAILED_ADDITIONS) == 0;
    long leadingEnd = Math.min(dataset.leadingObjects(), ingest.endIndex());
    long firstIndex = allAdded ? ingest.firstIndex() : Math.max(ingest.firstIndex(), leadingEnd);
    // A mix has purged all between the leading objects and this one.
    long firstRemaining = mixed == null ? firstIndex : Math.max(firstIndex, mixed.endPurged());
    long remaining = ingest.endIndex() - firstRemaining;
    long available =
        remaining
            + Math.max(0, Math.min(leadingEnd, firstRemaining) - firstIndex)
            - ingest.failures().notIngested().size();
    Set<Long> chosen = new TreeSet<>();
    if (available <= options.sampledObjects()) {
      for (long index = firstIndex; index < ingest.endIndex(); index++) {
        if (isThere(index)) {
          chosen.add(index);
        }
      }
      return chosen;
    }
    for (long index = firstIndex;
        index < leadingEnd && chosen.size() < options.sampledObjects();
        index++) {
      chosen.add(index);
    }
    SplittableRandom random = new SplittableRandom(options.seed());
    long tries = 0;
    // the bound matters only if nearly everything failed
    while (chosen.size() < options.sampledObjects() && tries++ < 1000L * options.sampledObjects()) {
      long index = firstRemaining + random.nextLong(remaining);
      if (isThere(index)) {
        chosen.add(index);
      }
    }
    return chosen;
  }

  private boolean isThere(long index) {
    return mixed == null
        ? !ingest.failures().notIngested().contains(index)
        : mixed.isCertain(index);
  }

  private void read(List<Long> indices, AtomicInteger next) {
    try (FedoraSession session = client.newSession()) {
      for (int i = next.getAndIncrement();
          i < indices.size() && !Thread.currentThread().isInterrupted();
          i = next.getAndIncrement()) {
        RepositoryObject object =
            expected.finished(
                indices.get(i), ingest.firstIndex(), ingest.endIndex() - ingest.firstIndex());
        if (mixed != null) {
          object = mixed.changed(indices.get(i), object);
        }
        ReadBack result;
        try {
          result = compare(session, indices.get(i), object);
        } catch (IOException e) {
          if (Thread.currentThread().isInterrupted()) {
            return; // it was cancelled
          }
          result = new ReadBack(List.of(object.pid() + " could not be read: " + Messages.of(e)), 0);
        }
        synchronized (found) {
          if (!result.there() && !ingest.knowsNotIngested()) {
            absent++;
            continue;
          }
          objects++;
          equal += result.equal() ? 1 : 0;
          bytes += result.bytes();
          found.addAll(result.problems());
        }
      }
    }
  }

  private ReadBack compare(FedoraSession session, long index, RepositoryObject object)
      throws IOException {
    List<CarriedContent> contents = delivery.of(index, object);
    List<CarriedContent> chosen = spread(contents);
    ReadBack readBack = ReadBack.detailed(session, object, chosen, mixed != null);
    // A packaged object's triples can have subjects other than its datastreams.
    if (!options.triples() || !readBack.there() || !(object instanceof ComposedObject)) {
      return readBack;
    }
    if (chosen.size() < contents.size()) {
      return readBack; // avoids a query for each datastream; all triples are counted together
    }
    long triples = new TripleCounter(session).countOf(object);
    if (triples == object.triples()) {
      return readBack;
    }
    List<String> problems = new ArrayList<>(readBack.problems());
    problems.add(
        String.format(
            Locale.ROOT,
            "The triplestore has %s of %s and should have %,d.",
            Counted.of(triples, "triple"),
            object.pid(),
            object.triples()));
    return new ReadBack(problems, readBack.bytes());
  }

  /** Returns the contents, or an evenly spread selection of very many. */
  private static List<CarriedContent> spread(List<CarriedContent> contents) {
    if (contents.size() <= MAX_CONTENTS) {
      return contents;
    }
    List<CarriedContent> chosen = new ArrayList<>();
    for (int i = 0; i < MAX_CONTENTS; i++) {
      chosen.add(contents.get((int) ((contents.size() - 1L) * i / (MAX_CONTENTS - 1))));
    }
    return chosen;
  }

  /** Looks up objects purged by a mix, of which nothing may remain in Fedora or its triplestore. */
  void checkPurged(List<String> problems) {
    SplittableRandom random = new SplittableRandom(options.seed());
    long purged = mixed.endPurged() - mixed.firstPurged();
    try (FedoraSession session = client.newSession()) {
      for (int i = 0; i < Math.min(purged, options.sampledObjects()); i++) {
        long index =
            mixed.firstPurged()
                + (purged <= options.sampledObjects() ? i : random.nextLong(purged));
        if (ingest.mix().uncertain().contains(index)
            || ingest.failures().notIngested().contains(index)) {
          continue;
        }
        String pid = dataset.object(index).pid();
        if (session.profile(pid).isPresent()) {
          problems.add(pid + " was purged, and is still in Fedora.");
        } else if (options.triples() && new TripleCounter(session).countOf(pid) > 0) {
          problems.add(pid + " was purged, and the triplestore still has triples of it.");
        }
      }
    } catch (IOException e) {
      problems.add("Purged objects could not be checked: " + Messages.of(e));
    }
  }
}
