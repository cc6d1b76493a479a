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
 * Counts what the triplestore holds, through Fedora's resource index search. For one thread.
 *
 * <p>The pattern {@code * * *} is used because every triplestore of Fedora's answers it; Fedora
 * counts by going through all triples: 20,000 to 50,000 a second were seen with Mulgara.
 */
public final class TripleCounter {

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Pattern COUNT = Pattern.compile("[0-9]{1,18}");
  private static final int MAX_COUNT_BYTES = 64;
  private static final int MAX_FORM_BYTES = 1 << 20;

  /** A thousand million triples at 20,000 a second take 14 hours. */
  private static final Duration READ_TIMEOUT = Duration.ofHours(48);

  private final FedoraSession session;
  private final Duration limit;

  /**
   * @param limit longest wait for one count or flush; a store of 50 million triples can need many
   *     minutes
   */
  public TripleCounter(FedoraSession session, Duration limit) {
    this.session = Objects.requireNonNull(session, "session");
    this.limit = Objects.requireNonNull(limit, "limit");
  }

  /** With two hours for one count. */
  public TripleCounter(FedoraSession session) {
    this(session, Duration.ofHours(2));
  }

  /**
   * @param flush whether Fedora is to write its buffered triples first
   * @throws FedoraRefusalException if Fedora cannot: the resource index is off, or the flush failed
   */
  public long count(boolean flush) throws IOException {
    return query(flush ? "&flush=true" : "");
  }

  /**
   * Has Fedora write its buffered triples and returns when they are written; nothing is counted, so
   * this takes as long as the flush.
   *
   * @throws FedoraRefusalException if Fedora cannot: the resource index is off, or the flush failed
   */
  public void flush() throws IOException {
    query("&flush=true&limit=1");
  }

  /** Whether Fedora has a triplestore, and lets this user ask it. */
  public boolean isAvailable() throws IOException {
    try {
      return session
          .fetch(
              FedoraPaths.triples("count", "<info:fedora/> * *"),
              limit,
              "Could not ask the triplestore",
              in -> in.readNBytes(MAX_COUNT_BYTES))
          .isPresent();
    } catch (FedoraRefusalException e) {
      return false;
    }
  }

  /**
   * Whether the triplestore answers iTQL, as Mulgara does and MPTStore does not: by the form that
   * Fedora shows to people.
   */
  public boolean supportsItql() throws IOException {
    return session
        .fetch(
            "/risearch",
            limit,
            "Could not ask for the triplestore's languages",
            in -> new String(in.readNBytes(MAX_FORM_BYTES), StandardCharsets.UTF_8))
        .filter(form -> form.contains("\"itql\""))
        .isPresent();
  }

  /**
   * Counts the triples that {@link #subjects} tells of an object: those about the object, and those
   * about each datastream that it should have or that the triplestore says it has. One question for
   * each; what is still in Fedora's memory is not counted.
   *
   * @throws FedoraRefusalException if Fedora cannot: the resource index is off, say
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
   * Whether the triple of a statement between two objects is there; one that is still in Fedora's
   * memory is not. A literal is not asked for: it is taken to be there.
   */
  public boolean contains(AddedStatement added) throws IOException {
    Relationship statement = added.statement();
    String subject = "<info:fedora/" + added.pid() + ">";
    return statement.literal()
        || query(subject + " <" + statement.predicate() + "> <" + statement.object() + ">", "") > 0;
  }

  /** Triples whose subject is the object; those that are not written yet are not counted. */
  public long countOf(String pid) throws IOException {
    return query("<info:fedora/" + pid + "> * *", "");
  }

  /**
   * Reads all triples, as they come and none kept, and tells whose they are: the subject without
   * {@code info:fedora/}, up to the end of the PID. Triples about anything else are counted alone.
   *
   * @param begun called when the triples begin; again, where the answer broke and is asked for anew
   * @param pid called for each triple of an object or one of its datastreams
   * @return how many triples there are in all
   * @throws FedoraRefusalException if Fedora cannot: the resource index is off, say
   */
  public long subjects(Runnable begun, Consumer<String> pid) throws IOException {
    return subjects(READ_TIMEOUT, begun, pid);
  }

  /** The same, given up when all of it takes longer than that. */
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
    // No sign: fewer than none there cannot be.
    if (!COUNT.matcher(text.strip()).matches()) {
      throw new IOException(
          "Could not count triples: Fedora answered '" + FedoraMessages.cut(text) + "'.");
    }
    return Long.parseLong(text.strip());
  }

  /**
   * Has Fedora write all buffered triples and counts until nothing moves any more. To be called
   * when nothing is ingested any longer.
   *
   * <p>Fedora's flush can lose triples without a word when it runs in the background (MPTStore, a
   * literal too long for the database): only the comparison with the expected count shows that.
   *
   * @param timeout how long the count may keep moving
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
            "The triples in Fedora still change from "
                + before
                + " to "
                + now
                + " after "
                + Messages.seconds(System.nanoTime() - startNanos)
                + ", although nothing is ingested: is another client at work?");
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
