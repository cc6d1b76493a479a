package org.fedometer.driver.verify;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.ObjectCounter;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.driver.fedora.Words;
import org.fedometer.driver.load.IngestTally;
import org.fedometer.driver.mix.MixedObjects;
import org.fedometer.driver.object.ReadBack;
import org.fedometer.driver.study.DatastreamStudy;

/**
 * Checks after an ingest that Fedora holds what it should: the number of objects, the number of
 * triples, and the content and triples of a random sample, or of everything, which is made again
 * from the dataset. Conducted by one thread; the sample is read by a few.
 */
public final class Verifier {

  /** More problems of the sample are counted, not told. */
  private static final int PROBLEMS_TOLD = 20;

  /** Of more content streams of one sampled object so many are read, and all names compared. */
  private static final int MOST_CONTENTS = 100;

  /** Batches of triples that may fail to be written, one a drain, before counting is given up. */
  private static final int DRAINS = 5;

  private final FedoraClient client;
  private final Dataset dataset;
  private final Options options;
  private final ContentDelivery delivery;

  /**
   * How thorough a verification is.
   *
   * @param sampledObjects how many objects are read back; all if fewer were ingested
   * @param seed decides which
   * @param threads that read back; the client needs as many connections
   * @param triplePatience how long the triple count may keep moving, see {@link
   *     TripleCounter#drain}
   * @param triples whether there is a triplestore to be counted
   * @param everything whether all objects are compared, all triples read, and it is looked for what
   *     is no object's
   * @param amongOthers whether others may write to this Fedora meanwhile, so that more triples than
   *     expected may be theirs
   */
  public record Options(
      int sampledObjects,
      long seed,
      int threads,
      Duration triplePatience,
      boolean triples,
      boolean everything,
      boolean amongOthers) {

    public Options {
      Objects.requireNonNull(triplePatience, "triplePatience");
      int mostThreads = RepositoryCheck.Options.MOST_THREADS;
      if (sampledObjects < 0 || threads < 1 || threads > mostThreads) {
        throw new IllegalArgumentException(
            "A verification reads zero or more objects with 1 to "
                + mostThreads
                + " threads, not "
                + sampledObjects
                + " with "
                + threads
                + ".");
      }
    }

    /** A sample, in a Fedora that nobody else writes to. */
    public Options(
        int sampledObjects, long seed, int threads, Duration triplePatience, boolean triples) {
      this(sampledObjects, seed, threads, triplePatience, triples, false, false);
    }

    /** 100 objects, two threads, ten minutes for the triples to settle. */
    public static Options standard(long seed) {
      return new Options(100, seed, 2, Duration.ofMinutes(10), true);
    }

    /** The same for a Fedora without a triplestore. */
    public Options withoutTriples() {
      return new Options(
          sampledObjects, seed, threads, triplePatience, false, everything, amongOthers);
    }

    /** The same with so many objects. */
    public Options withSample(int objects) {
      return new Options(objects, seed, threads, triplePatience, triples, everything, amongOthers);
    }

    /** The same with all objects. */
    public Options withEverything() {
      return new Options(sampledObjects, seed, threads, triplePatience, triples, true, amongOthers);
    }

    /** The same in a Fedora that others may write to. */
    public Options withOthers() {
      return new Options(sampledObjects, seed, threads, triplePatience, triples, everything, true);
    }
  }

  /**
   * What was in the repository before the ingest.
   *
   * @param objects of the dataset's namespace
   * @param triples in the whole triplestore; 0 if there is none
   */
  public record Before(long objects, long triples) {}

  /**
   * Checks objects of {@code dataset} in the Fedora that {@code client} is connected to.
   *
   * @param delivery by which the objects were ingested, not closed yet
   */
  public Verifier(FedoraClient client, Dataset dataset, Options options, ContentDelivery delivery) {
    this.delivery = Objects.requireNonNull(delivery, "delivery");
    this.client = Objects.requireNonNull(client, "client");
    this.dataset = Objects.requireNonNull(dataset, "dataset");
    this.options = Objects.requireNonNull(options, "options");
  }

  /** Counts what is there before an ingest. */
  public Before before() throws IOException {
    try (FedoraSession session = client.newSession()) {
      session.login();
      long objects = countObjects(session);
      return new Before(objects, options.triples() ? new TripleCounter(session).count(true) : 0);
    }
  }

  /** As {@link #verify(IngestResult, Before, RepositoryCheck.Listener)}, told to nobody. */
  public Verification verify(IngestResult ingest, Before before) {
    return verify(ingest, before, RepositoryCheck.Listener.NONE);
  }

  /**
   * Flushes, counts, reads back. What does not hold, and what could not be checked, is among the
   * problems; nothing is thrown for it.
   *
   * @param progress hears how far a comparison of everything is, and of each problem in it
   */
  public Verification verify(
      IngestResult ingest, Before before, RepositoryCheck.Listener progress) {
    long startNanos = System.nanoTime();
    List<String> problems = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    if (ingest.failedAdditions() > 0) {
      problems.add(
          ingest.failedAdditions()
              + " statements could not be added to other objects, beside "
              + ingest.additions()
              + " that were.");
    }
    problems.addAll(ingest.stuck());
    if (ingest.failedOperations() > 0) {
      problems.add(
          ingest.failedOperations() + " requests of the mix besides ingests failed for good.");
    }
    long objectsExpected = before.objects() + ingest.ingested() - ingest.purged();
    long triplesExpected = options.triples() ? before.triples() + ingest.expectedTriples() : 0;
    Long triples = null;
    Long objects = null;
    try (FedoraSession session = client.newSession()) {
      if (options.triples()) {
        triples = countTriples(session, ingest, triplesExpected, problems, notes);
      }
      objects = countObjects(session, ingest, objectsExpected, problems);
    }
    MixedObjects mixed =
        ingest.mix() == null
            ? null
            : new MixedObjects(dataset, ingest.mix(), ingest.notIngested()::contains);
    Dataset left =
        ingest.addedToFirst() == 0 ? dataset : DatastreamStudy.left(dataset, ingest.addedToFirst());
    Sample sample = new Sample();
    if (mixed != null && !ingest.mix().knowsUncertain()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "Steps that failed may have changed more than %,d objects, and it is not known which"
                  + " the others are: objects were counted, and none was compared.",
              IngestTally.MOST_NOT_INGESTED));
    } else {
      sample =
          options.everything()
              ? compareAll(left, ingest, progress, problems, notes)
              : readBack(left, ingest, mixed, problems, notes);
      if (mixed != null && ingest.purged() > 0 && !options.everything()) {
        checkGone(ingest, mixed, problems);
      }
    }
    return new Verification(
        objectsExpected,
        objects,
        triplesExpected,
        triples,
        sample.objects,
        sample.equal,
        sample.bytes,
        problems,
        notes,
        System.nanoTime() - startNanos);
  }

  private Long countTriples(
      FedoraSession session,
      IngestResult ingest,
      long expected,
      List<String> problems,
      List<String> notes) {
    try {
      long counted = drain(session, problems);
      if (counted < expected) {
        problems.add(
            "The triplestore holds "
                + counted
                + " triples and should hold "
                + expected
                + ": "
                + (expected - counted)
                + " are missing. "
                + (ingest.outages().isEmpty()
                    ? "A flush may have failed; Fedora's log says so, its answers do not."
                    : "Fedora was out of reach during the ingest; what it has not flushed when it is"
                        + " killed is lost.")
                + " While Fedora is stopped, 'fedometer repair --home' makes them anew from the"
                + " objects' files.");
      } else if (counted > expected && options.amongOthers()) {
        notes.add(
            "The triplestore holds "
                + (counted - expected)
                + " triples more than it held before and the ingested objects have: somebody"
                + " else's, or left over. A verification of everything tells which.");
      } else if (counted > expected
          && ingest.abandoned()
                  + ingest.failed()
                  + ingest.failedAdditions()
                  + ingest.failedOperations()
              == 0) {
        problems.add(
            "The triplestore holds "
                + counted
                + " triples and should hold "
                + expected
                + ": "
                + (counted - expected)
                + " too many.");
      } else if (counted > expected) {
        problems.add(
            "The triplestore holds "
                + (counted - expected)
                + " triples more than the "
                + expected
                + " of the ingested objects; they may be left over from the "
                + (ingest.abandoned()
                    + ingest.failed()
                    + ingest.failedAdditions()
                    + ingest.failedOperations())
                + " objects, statements and requests that failed or were abandoned.");
      }
      return counted;
    } catch (IOException e) {
      problems.add(Words.of(e));
      return null;
    }
  }

  /**
   * A flush that fails loses its batch for good, and the next one succeeds: it is a problem, but no
   * reason not to count.
   */
  private long drain(FedoraSession session, List<String> problems) throws IOException {
    TripleCounter counter = new TripleCounter(session);
    for (int attempt = 1; ; attempt++) {
      try {
        return counter.drain(options.triplePatience());
      } catch (FedoraRefusalException e) {
        if (attempt == DRAINS) {
          throw e;
        }
        problems.add(Words.of(e));
      }
    }
  }

  private Long countObjects(
      FedoraSession session, IngestResult ingest, long expected, List<String> problems) {
    try {
      long counted = countObjects(session);
      long tolerated = ingest.abandoned();
      long perhapsPurged = 0;
      if (ingest.mix() != null) {
        // a purge of which nobody knows either way
        perhapsPurged = ingest.mix().openPurges();
      }
      if (counted < expected - perhapsPurged || counted > expected + tolerated) {
        problems.add(
            "Fedora's field search finds "
                + counted
                + " objects of the namespace "
                + String.join(", ", new TreeSet<>(dataset.pidNamespaces()))
                + " and should find "
                + expected
                + ".");
      }
      return counted;
    } catch (IOException e) {
      problems.add(Words.of(e));
      return null;
    }
  }

  private long countObjects(FedoraSession session) throws IOException {
    long objects = 0;
    for (String namespace : dataset.pidNamespaces()) {
      objects += new ObjectCounter(session).count(namespace, soFar -> {});
    }
    return objects;
  }

  /** Purged objects are asked for: nothing of them may be left, in Fedora or in its triplestore. */
  private void checkGone(IngestResult ingest, MixedObjects mixed, List<String> problems) {
    SplittableRandom random = new SplittableRandom(options.seed());
    long purged = mixed.endPurged() - mixed.firstPurged();
    try (FedoraSession session = client.newSession()) {
      for (int i = 0; i < Math.min(purged, options.sampledObjects()); i++) {
        long index =
            mixed.firstPurged()
                + (purged <= options.sampledObjects() ? i : random.nextLong(purged));
        if (ingest.mix().uncertain().contains(index) || ingest.notIngested().contains(index)) {
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
      problems.add("Purged objects could not be asked for: " + Words.of(e));
    }
  }

  private Sample compareAll(
      Dataset left,
      IngestResult ingest,
      RepositoryCheck.Listener progress,
      List<String> problems,
      List<String> notes) {
    Sample sample = new Sample();
    List<String> told = new ArrayList<>();
    long[] found = {0};
    RepositoryCheck.Listener teller =
        new RepositoryCheck.Listener() {
          @Override
          public void onProblem(Problem problem) {
            progress.onProblem(problem);
            if (found[0]++ < PROBLEMS_TOLD) {
              told.add(problem.text());
            }
          }

          @Override
          public void onProgress(String what, long done, long all) {
            progress.onProgress(what, done, all);
          }
        };
    RepositoryCheck check =
        new RepositoryCheck(
            client,
            RunClaim.of(left, ingest, false),
            delivery,
            new RepositoryCheck.Options(
                0, true, true, options.seed(), options.threads(), options.triples()),
            teller);
    try {
      RepositoryCheck.Result result = check.run();
      sample.objects = result.compared();
      sample.equal = result.equal();
      sample.bytes = result.bytes();
      notes.addAll(result.notes());
    } catch (IOException e) {
      told.add("Not everything could be compared: " + Words.of(e));
    }
    problems.addAll(told);
    if (found[0] > PROBLEMS_TOLD) {
      problems.add("... and " + (found[0] - PROBLEMS_TOLD) + " more.");
    }
    return sample;
  }

  private static final class Sample {
    private long objects;
    private long equal;
    private long bytes;

    /** Chosen, not in Fedora, and perhaps among those that were not ingested. */
    private long absent;
  }

  /**
   * Reads back a sample. What the objects add to others is expected there, if all of it was added;
   * otherwise the others are left out, and the triples show what is missing. Where it is not known
   * of all objects which were ingested, one that is not there is left out, too: how many there are
   * shows by the count.
   */
  private Sample readBack(
      Dataset left,
      IngestResult ingest,
      MixedObjects mixed,
      List<String> problems,
      List<String> notes) {
    Set<Long> chosen = sample(ingest, mixed);
    if (mixed != null) {
      mixed.recall(chosen);
    }
    List<Long> indices = List.copyOf(chosen);
    Sample sample = new Sample();
    AtomicInteger next = new AtomicInteger();
    List<String> found = new ArrayList<>();
    String failure = null;
    try {
      Readers.run(
          client,
          Math.min(options.threads(), indices.size()),
          () -> {
            readBack(left, ingest, mixed, indices, next, sample, found);
            return null;
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = "The verification was interrupted.";
    } catch (ExecutionException e) {
      failure = "The verification itself failed: " + e.getCause();
    }
    synchronized (sample) {
      if (failure != null) {
        found.add(failure);
      }
      problems.addAll(found.subList(0, Math.min(found.size(), PROBLEMS_TOLD)));
      if (found.size() > PROBLEMS_TOLD) {
        problems.add("... and " + (found.size() - PROBLEMS_TOLD) + " more of the same sample.");
      }
      if (sample.absent > 0) {
        notes.add(
            String.format(
                Locale.ROOT,
                "Of the sample %,d objects are not in Fedora, and were left out: of the %,d that"
                    + " were not ingested it is known only of the first %,d which they are.",
                sample.absent,
                ingest.failed() + ingest.abandoned(),
                IngestTally.MOST_NOT_INGESTED));
      }
      return sample;
    }
  }

  private void readBack(
      Dataset left,
      IngestResult ingest,
      MixedObjects mixed,
      List<Long> indices,
      AtomicInteger next,
      Sample sample,
      List<String> problems) {
    try (FedoraSession session = client.newSession()) {
      for (int i = next.getAndIncrement();
          i < indices.size() && !Thread.currentThread().isInterrupted();
          i = next.getAndIncrement()) {
        RepositoryObject object =
            left.finished(
                indices.get(i), ingest.firstIndex(), ingest.endIndex() - ingest.firstIndex());
        if (mixed != null) {
          object = mixed.changed(indices.get(i), object);
        }
        ReadBack result;
        try {
          result = compare(session, indices.get(i), object, mixed != null);
        } catch (IOException e) {
          if (Thread.currentThread().isInterrupted()) {
            return; // it was cut
          }
          result = new ReadBack(List.of(object.pid() + " could not be read: " + Words.of(e)), 0);
        }
        synchronized (sample) {
          if (!result.there() && !ingest.knowsNotIngested()) {
            sample.absent++;
            continue;
          }
          sample.objects++;
          sample.equal += result.equal() ? 1 : 0;
          sample.bytes += result.bytes();
          problems.addAll(result.problems());
        }
      }
    }
  }

  private ReadBack compare(
      FedoraSession session, long index, RepositoryObject object, boolean modified)
      throws IOException {
    List<CarriedContent> contents = delivery.of(index, object);
    List<CarriedContent> chosen = spread(contents);
    ReadBack readBack = ReadBack.closely(session, object, chosen, modified);
    // Of what somebody else has packaged, triples can have other subjects than its datastreams.
    if (!options.triples() || !readBack.there() || !(object instanceof ComposedObject)) {
      return readBack;
    }
    if (chosen.size() < contents.size()) {
      return readBack; // a query for each datastream; those of all objects are counted as a whole
    }
    long triples = new TripleCounter(session).countOf(object);
    if (triples == object.triples()) {
      return readBack;
    }
    List<String> problems = new ArrayList<>(readBack.problems());
    problems.add(
        "The triplestore has %d triples of %s and should have %d."
            .formatted(triples, object.pid(), object.triples()));
    return new ReadBack(problems, readBack.bytes());
  }

  /** Of an object with very many content streams some, from the first to the last. */
  private static List<CarriedContent> spread(List<CarriedContent> contents) {
    if (contents.size() <= MOST_CONTENTS) {
      return contents;
    }
    List<CarriedContent> chosen = new ArrayList<>();
    for (int i = 0; i < MOST_CONTENTS; i++) {
      chosen.add(contents.get((int) ((contents.size() - 1L) * i / (MOST_CONTENTS - 1))));
    }
    return chosen;
  }

  /**
   * Distinct indices of ingested objects, in order. Where all was added to them, the objects that
   * others need are always among them: they show what was added.
   */
  private Set<Long> sample(IngestResult ingest, MixedObjects mixed) {
    boolean allAdded = ingest.notIngested().isEmpty() && ingest.failedAdditions() == 0;
    long leadingEnd = Math.min(dataset.leadingObjects(), ingest.endIndex());
    long firstIndex = allAdded ? ingest.firstIndex() : Math.max(ingest.firstIndex(), leadingEnd);
    // Between the objects that lead and this one, a mix has purged all.
    long firstLeft = mixed == null ? firstIndex : Math.max(firstIndex, mixed.endPurged());
    long left = ingest.endIndex() - firstLeft;
    long available =
        left
            + Math.max(0, Math.min(leadingEnd, firstLeft) - firstIndex)
            - ingest.notIngested().size();
    Set<Long> chosen = new TreeSet<>();
    if (available <= options.sampledObjects()) {
      for (long index = firstIndex; index < ingest.endIndex(); index++) {
        if (isThere(ingest, mixed, index)) {
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
    // the bound matters only where nearly everything failed
    while (chosen.size() < options.sampledObjects() && tries++ < 1000L * options.sampledObjects()) {
      long index = firstLeft + random.nextLong(left);
      if (isThere(ingest, mixed, index)) {
        chosen.add(index);
      }
    }
    return chosen;
  }

  private static boolean isThere(IngestResult ingest, MixedObjects mixed, long index) {
    return mixed == null ? !ingest.notIngested().contains(index) : mixed.isCertain(index);
  }
}
