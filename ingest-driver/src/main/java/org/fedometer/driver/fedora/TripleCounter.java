package org.fedometer.driver.fedora;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.fedometer.datasets.AddedStatement;
import org.fedometer.datasets.Relationship;
import org.fedometer.datasets.RepositoryObject;

/**
 * Counts triples by Fedora's resource index search. Not thread-safe.
 *
 * <p>Uses the pattern {@code * * *}, which every triplestore of Fedora supports. Fedora counts by
 * reading all triples; Mulgara reached 20,000 to 50,000 a second.
 */
public final class TripleCounter {

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Pattern COUNT = Pattern.compile("[0-9]{1,18}");
  private static final int MAX_COUNT_BYTES = 64;
  private static final int MAX_FORM_BYTES = 1 << 20;

  /** A thousand million triples at 20,000 a second need 14 hours. */
  private static final Duration READ_TIMEOUT = Duration.ofHours(48);

  private final FedoraSession session;
  private final Duration limit;

  /**
   * @param limit timeout of one count or flush; a store of 50 million triples can need many minutes
   */
  public TripleCounter(FedoraSession session, Duration limit) {
    this.session = Objects.requireNonNull(session, "session");
    this.limit = Objects.requireNonNull(limit, "limit");
  }

  /** Limits a count to two hours. */
  public TripleCounter(FedoraSession session) {
    this(session, Duration.ofHours(2));
  }

  /**
   * @param flush true to make Fedora write its buffered triples first
   * @throws FedoraRefusalException if Fedora cannot: the resource index is off, or the flush failed
   */
  public long count(boolean flush) throws IOException {
    return query(flush ? "&flush=true" : "");
  }

  /**
   * Makes Fedora write its buffered triples, and returns when they are written. Counts nothing, and
   * so lasts as long as the flush.
   *
   * @throws FedoraRefusalException if Fedora cannot: the resource index is off, or the flush failed
   */
  public void flush() throws IOException {
    query("&flush=true&limit=1");
  }

  /** Returns whether Fedora has a triplestore that this user may query. */
  public boolean isAvailable() throws IOException {
    try {
      return session
          .fetch(
              FedoraPaths.triples("count", "<info:fedora/> * *"),
              limit,
              "Could not query the triplestore",
              in -> in.readNBytes(MAX_COUNT_BYTES))
          .isPresent();
    } catch (FedoraRefusalException e) {
      return false;
    }
  }

  /**
   * Returns whether the triplestore supports iTQL, as Mulgara does and MPTStore does not, by
   * Fedora's HTML form.
   */
  public boolean supportsItql() throws IOException {
    return session
        .fetch(
            "/risearch",
            limit,
            "Could not read the triplestore's query languages",
            in -> new String(in.readNBytes(MAX_FORM_BYTES), StandardCharsets.UTF_8))
        .filter(form -> form.contains("\"itql\""))
        .isPresent();
  }

  /**
   * Counts an object's triples like {@link #subjects}: those about the object, and about each
   * datastream that it should have or that the triplestore has. Sends one query for each. Unwritten
   * triples are not counted.
   *
   * @throws FedoraRefusalException if Fedora cannot, for example with the resource index off
   */
  public long countOf(RepositoryObject object) throws IOException {
    String subject = "info:fedora/" + object.pid();
    Set<String> below = new TreeSet<>();
    object.datastreamIds().forEach(id -> below.add(subject + "/" + id));
    long count =
        session
            .fetch(
                FedoraPaths.triples("N-Triples", "<" + subject + "> * *"),
                limit,
                "Could not count triples",
                in -> SubjectLines.readDisseminations(in, below::add))
            .orElseThrow(
                () -> new IOException("Could not count triples: this Fedora has no /risearch."));
    for (String each : below) {
      count += query("<" + each + "> * *", "");
    }
    return count;
  }

  /**
   * Returns whether the triple of a statement between two objects is written. Literals are not
   * queried; true is returned.
   */
  public boolean contains(AddedStatement added) throws IOException {
    Relationship statement = added.statement();
    String subject = "<info:fedora/" + added.pid() + ">";
    return statement.literal()
        || query(subject + " <" + statement.predicate() + "> <" + statement.object() + ">", "") > 0;
  }

  /** Returns the number of written triples whose subject is the object. */
  public long countOf(String pid) throws IOException {
    return query("<info:fedora/" + pid + "> * *", "");
  }

  /**
   * Streams all triples and passes on the PID of each subject. Triples about anything else are only
   * counted.
   *
   * @param begun called when the triples begin, again on a retry
   * @param pid gets the PID for each triple of an object or one of its datastreams
   * @return number of all triples
   * @throws FedoraRefusalException if Fedora cannot, for example with the resource index off
   */
  public long subjects(Runnable begun, Consumer<String> pid) throws IOException {
    return subjects(READ_TIMEOUT, begun, pid);
  }

  /** Same, with a timeout for the whole. */
  public long subjects(Duration timeout, Runnable begun, Consumer<String> pid) throws IOException {
    return session
        .fetch(
            FedoraPaths.triples("N-Triples", "* * *"),
            timeout,
            "Could not read the triples",
            in -> {
              begun.run();
              return SubjectLines.read(in, pid);
            })
        .orElseThrow(
            () -> new IOException("Could not read the triples: this Fedora has no /risearch."));
  }

  private long query(String parameters) throws IOException {
    return query("* * *", parameters);
  }

  private long query(String query, String parameters) throws IOException {
    String path = FedoraPaths.triples("count", query) + parameters;
    String text =
        session
            .fetch(
                path,
                limit,
                "Could not count triples",
                in -> new String(in.readNBytes(MAX_COUNT_BYTES), StandardCharsets.US_ASCII))
            .orElseThrow(
                () -> new IOException("Could not count triples: this Fedora has no /risearch."));
    // No sign: a count is not negative.
    if (!COUNT.matcher(text.strip()).matches()) {
      throw new IOException(
          "Could not count triples: Fedora answered '" + FedoraMessages.cut(text) + "'.");
    }
    return Long.parseLong(text.strip());
  }

  /**
   * Flushes all buffered triples and counts until the count is stable. Call after the ingest.
   *
   * <p>Fedora's background flush can lose triples silently (MPTStore, a literal too long for the
   * database): only a comparison with the expected count reveals that.
   *
   * @param timeout maximum time for the count to settle
   * @throws IOException if a flush or a count fails, or the count does not settle
   */
  public long drain(Duration timeout) throws IOException {
    long startNanos = System.nanoTime();
    long before = count(true);
    while (true) {
      long now = count(true);
      if (now == before) {
        return now;
      }
      if (System.nanoTime() - startNanos > timeout.toNanos()) {
        throw new IOException(
            "The number of triples in Fedora still changes, from "
                + before
                + " to "
                + now
                + " after "
                + Messages.seconds(System.nanoTime() - startNanos)
                + ", without an ingest: another client may be writing.");
      }
      before = now;
      pause();
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the triples were being counted.", e);
    }
  }
}
