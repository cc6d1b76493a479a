package org.fedometer.driver.object;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.fedometer.datasets.CarriedContent;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.Relationship;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.content.ContentOptions;
import org.fedometer.driver.content.Parcel;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraResponse;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.driver.request.Traceparent;
import org.fedometer.wire.Counted;

/**
 * A small object that is ingested like a load's, read back and purged, to test whether Fedora
 * permits it. In any case, the object is looked up and purged. Call {@link #send} once, on one
 * thread; {@link #interrupt} is thread-safe.
 */
public final class ProbeObject {

  private static final String ID = "PROBE";
  private static final String TITLE = "Probe of Fedometer";
  private static final int PURGES = 3;
  private static final Duration LATE_ARRIVAL = Duration.ofSeconds(5);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  private final FedoraClient client;
  private final ContentOptions content;
  private final boolean triples;
  private final ComposedObject object;
  private volatile boolean interrupted;
  private volatile FedoraSession activeSession;

  /**
   * @param client may open two connections
   */
  public ProbeObject(
      FedoraClient client, String namespace, ContentOptions content, boolean triples) {
    this.client = client;
    this.content = content;
    this.triples = triples;
    this.object =
        new ComposedObject(
            namespace
                + ":fedometer-probe-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong()),
            TITLE,
            List.of(new Text()),
            List.of(new DublinCoreValue("title", TITLE)),
            List.of(Relationship.toLiteral("http://purl.org/dc/terms/provenance", TITLE)));
  }

  /**
   * @param problem a sentence; empty on success
   * @param remains a sentence if something of it may still be in Fedora, else empty
   */
  public record Outcome(String pid, Optional<String> problem, Optional<String> remains) {}

  private static final class ProbeFailure extends Exception {
    private static final long serialVersionUID = 1L;

    ProbeFailure(String message) {
      super(message);
    }
  }

  ComposedObject object() {
    return object;
  }

  /** Cancels the request under way; the object is purged all the same. */
  public void interrupt() {
    interrupted = true;
    FedoraSession session = activeSession;
    if (session != null) {
      session.cancel();
    }
  }

  /**
   * @throws IOException if nothing was sent: the content server cannot listen, or Fedora refuses
   *     the login
   */
  public Outcome send() throws IOException {
    Optional<String> problem = Optional.empty();
    boolean answered = true;
    try (FedoraSession session = client.newSession();
        ContentDelivery delivery = ContentDelivery.open(content, new SingleObjectDataset())) {
      session.login();
      activeSession = session;
      if (interrupted) {
        return new Outcome(object.pid(), Optional.of("It was interrupted."), Optional.empty());
      }
      try {
        ingest(session, delivery);
      } catch (ProbeFailure e) {
        problem = Optional.of(e.getMessage());
      } catch (IOException | RuntimeException e) {
        answered = false;
        problem =
            Optional.of(
                interrupted
                    ? "It was interrupted."
                    : "It could not be completed: " + Messages.of(e));
      } finally {
        activeSession = null;
      }
    }
    return new Outcome(object.pid(), problem, purge(answered));
  }

  private void ingest(FedoraSession session, ContentDelivery delivery)
      throws IOException, ProbeFailure {
    try (Parcel parcel = new Parcel(0, object, delivery)) {
      List<CarriedContent> carried = uploaded(session, parcel, parcel.inFoxml());
      parcel.beginRequest();
      FedoraResponse response =
          session.ingest(
              object.pid(), out -> parcel.writeFoxml(carried, out), Traceparent.random());
      expect(
          response.status() == 201,
          "Fedora refuses the ingest: " + response.describe() + parcel.fetchFailure(carried));
      expect(
          response.message().equals(object.pid()),
          "Fedora has created the PID " + response.message() + " instead of " + object.pid());
      for (CarriedContent each : uploaded(session, parcel, parcel.separateDatastreams())) {
        parcel.beginRequest();
        response =
            session.addDatastream(object.pid(), each, object.versions(), Traceparent.random());
        expect(
            response.status() == 201,
            "Fedora refuses a datastream: "
                + response.describe()
                + parcel.fetchFailure(List.of(each)));
      }
      ReadBack readBack = ReadBack.of(session, object, parcel.contents());
      expect(readBack.equal(), "It differs when read back: " + readBack.problems());
      countTriples(session);
    }
  }

  private static List<CarriedContent> uploaded(
      FedoraSession session, Parcel parcel, List<CarriedContent> contents)
      throws IOException, ProbeFailure {
    if (!parcel.uploads()) {
      return contents;
    }
    List<CarriedContent> uploaded = new ArrayList<>();
    for (CarriedContent each : contents) {
      FedoraResponse response = session.upload(each.content(), Traceparent.random());
      expect(
          ContentTransfer.namesUpload(response),
          "Fedora refuses an upload: " + response.describe());
      uploaded.add(each.at('M', response.message()));
    }
    return uploaded;
  }

  private void countTriples(FedoraSession session) throws IOException, ProbeFailure {
    if (!triples) {
      return;
    }
    TripleCounter counter = new TripleCounter(session);
    counter.flush();
    long counted = counter.countOf(object);
    expect(
        counted == object.triples(),
        String.format(
            Locale.ROOT,
            "After a flush the triplestore has %s of it instead of %,d",
            Counted.of(counted, "triple"),
            object.triples()));
  }

  private static void expect(boolean met, String message) throws ProbeFailure {
    if (!met) {
      throw new ProbeFailure(message);
    }
  }

  /**
   * Purges the object after any outcome. After a lost response, waits for it, since Fedora may
   * still be processing it.
   */
  private Optional<String> purge(boolean answered) {
    long endNanos = System.nanoTime() + (answered ? 0 : LATE_ARRIVAL.toNanos());
    String failure = "";
    int failures = 0;
    while (failures < PURGES) {
      try (FedoraSession session = client.newSession()) {
        if (session.profile(object.pid()).isPresent()) {
          failures++;
          failure = session.purge(object.pid(), Traceparent.random()).describe();
          endNanos = System.nanoTime(); // the awaited one
        } else if (System.nanoTime() >= endNanos) {
          return remainingTriples(session);
        } else {
          LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
      } catch (IOException e) {
        failures++;
        failure = Messages.of(e);
      }
    }
    return Optional.of(
        "The probe "
            + object.pid()
            + " may still be in Fedora, which did not purge it; purge it yourself ("
            + failure
            + ").");
  }

  private Optional<String> remainingTriples(FedoraSession session) throws IOException {
    if (triples) {
      TripleCounter counter = new TripleCounter(session);
      counter.flush();
      long remaining = counter.countOf(object);
      if (remaining > 0) {
        return Optional.of(
            "The probe "
                + object.pid()
                + " is purged, but "
                + Counted.of(remaining, "triple of it remains.", "triples of it remain."));
      }
    }
    return Optional.empty();
  }

  /** XML, to allow inlining. */
  private static final class Text implements ContentStream {
    private static final byte[] BYTES =
        "<probe>Made by fedometer doctor --probe, which purges it again.</probe>\n"
            .getBytes(StandardCharsets.US_ASCII);

    @Override
    public String id() {
      return ID;
    }

    @Override
    public String label() {
      return TITLE;
    }

    @Override
    public String mediaType() {
      return "text/xml";
    }

    @Override
    public long sizeBytes() {
      return BYTES.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(BYTES);
    }
  }

  /** For the content server. */
  private final class SingleObjectDataset implements Dataset {
    @Override
    public String name() {
      return "probe";
    }

    @Override
    public Map<String, String> parameters() {
      return Map.of();
    }

    @Override
    public RepositoryObject object(long index) {
      requireObjects(index, 1);
      return object;
    }

    @Override
    public long size() {
      return 1;
    }

    @Override
    public long meanObjectBytes() {
      return Text.BYTES.length;
    }

    @Override
    public int maxLiteralBytes() {
      return TITLE.length();
    }
  }
}
