package org.fedometer.experiments.collect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.fedometer.collector.BackgroundCollector;
import org.fedometer.store.RunFolder;
import org.fedometer.store.remote.RemoteStore;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.HostBoot;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.client.CollectorClient.Delivery;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Welcome;

/**
 * A job's connection to its collector: one on loopback that is started or reused, or one that the
 * user names. While open, it keeps a background collector alive. Confined to the job's thread.
 */
public final class CollectorLink implements AutoCloseable {
  private static final Duration WELCOME_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration SEAL_TIMEOUT = Duration.ofMinutes(10);
  private static final Duration ERROR_POLL_INTERVAL = Duration.ofSeconds(2);

  private final InetSocketAddress address;
  private final CollectorAccess access;
  private final CollectorClient client;
  private final Welcome welcome;

  /** Store of a background collector; null for one that the user has named. */
  private final Path store;

  private CollectorLink(
      Path store,
      InetSocketAddress address,
      CollectorAccess access,
      CollectorClient client,
      Welcome welcome) {
    this.store = store;
    this.address = address;
    this.access = access;
    this.client = client;
    this.welcome = welcome;
  }

  /**
   * Connects as the driver of a run.
   *
   * @throws IOException with a message for the user, if no collector is available or it rejects the
   *     connection
   */
  public static CollectorLink open(CollectorTarget place, String runId, String runName)
      throws IOException, InterruptedException {
    return open(
        place,
        options ->
            options
                .sourceKind(Hello.DRIVER)
                .sourceName("driver")
                .runId(runId)
                .runName(runName)
                .attribute(Hello.BOOT_ID, HostBoot.ID));
  }

  /**
   * Connects as a source of imported measurements, with times since 1970; otherwise as {@link
   * #open}.
   */
  public static CollectorLink openForImport(CollectorTarget place, String runId, String runName)
      throws IOException, InterruptedException {
    return open(
        place,
        options ->
            options
                .sourceKind(Hello.IMPORT)
                .sourceName("import")
                .runId(runId)
                .runName(runName)
                .attribute(Hello.CLOCK, Hello.EPOCH));
  }

  private static CollectorLink open(CollectorTarget place, UnaryOperator<ClientOptions.Builder> as)
      throws IOException, InterruptedException {
    InetSocketAddress address = find(place);
    ClientOptions.Builder options =
        place.access().client(address.getHostString(), address.getPort()).source(UUID.randomUUID());
    CollectorClient client = CollectorClient.open(as.apply(options).build());
    try {
      return new CollectorLink(
          place.isStoreCollector() ? place.store() : null,
          address,
          place.access(),
          client,
          client.awaitWelcome(WELCOME_TIMEOUT.toMillis()));
    } catch (IOException e) {
      client.close();
      throw e;
    }
  }

  /** Returns the named collector, or the store's own, started if necessary. */
  public static InetSocketAddress find(CollectorTarget place)
      throws IOException, InterruptedException {
    return place.isStoreCollector()
        ? BackgroundCollector.startOrReuse(place.store(), place.command(), place.access().token())
        : place.named();
  }

  public static RemoteStore storeOf(CollectorTarget place)
      throws IOException, InterruptedException {
    CollectorAccess access = place.access();
    return RemoteStore.at(find(place), access.token(), access.tlsOrNull());
  }

  /** Returns the ULID of the run, from the collector if only its name was given. */
  public String runId() {
    return welcome.runId();
  }

  /**
   * Returns the connection as the run's driver; any thread may send by it. Closed with this one.
   */
  public CollectorClient client() {
    return client;
  }

  public String hostAndPort() {
    return hostAndPort(address);
  }

  /**
   * Returns the run's page for a browser; empty if the collector serves no HTTP, or the user has
   * named it.
   */
  public Optional<URI> pageOf(String runName) {
    if (store == null) {
      return Optional.empty();
    }
    try {
      return BackgroundCollector.dashboard(store, address)
          .map(dashboard -> URI.create(dashboard + "#/run/" + runName));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  public int port() {
    return address.getPort();
  }

  /** Returns the collector's place for the record: {@code loopback}, or its host. */
  public String place() {
    return !address.isUnresolved() && address.getAddress().isLoopbackAddress()
        ? "loopback"
        : address.getHostString();
  }

  /** Returns {@code HOST:PORT}, an IPv6 address in brackets. */
  public static String hostAndPort(InetSocketAddress address) {
    String host = address.getHostString();
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /**
   * Returns the run's folder, if visible on this host. Since another run may have the same path
   * here, the folder of a named collector must identify itself as this run's.
   */
  public Optional<Path> runFolder() {
    try {
      return Optional.of(Path.of(welcome.storeDirectory(), "runs", welcome.runFolder()))
          .filter(Files::isDirectory)
          .filter(folder -> store != null || isThisRun(new RunFolder(folder)));
    } catch (InvalidPathException e) {
      // The path is invalid on this host.
      return Optional.empty();
    }
  }

  private boolean isThisRun(RunFolder folder) {
    try {
      return welcome.runId().equals(folder.document().id());
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the run's location, for the user. */
  public String location() {
    return runFolder()
        .map(Path::toString)
        .orElse(
            welcome.runFolder() + " in " + welcome.storeDirectory() + " on " + welcome.hostName());
  }

  public String summary() {
    return "collector at " + hostAndPort() + ", run " + welcome.runFolder();
  }

  /**
   * Sends Fedora's log as a separate source, line by line, and waits until it is durable.
   *
   * @param parts finished parts; earlier ones are in the run already
   */
  public void sendLog(String name, List<FedoraLog.Part> parts) throws IOException {
    sendAs(
        name,
        (source, epochOffsetNanos) -> {
          for (FedoraLog.Part part : parts) {
            FedoraLog.read(
                part.file(),
                ZoneId.systemDefault(),
                part.fromBytes(),
                epochOffsetNanos,
                payload -> source.send(FrameType.LOGS, payload, FLUSH_TIMEOUT.toMillis()));
          }
        });
  }

  /** The source {@code gc.log} of a run; connected until closed. Not thread-safe. */
  public final class GcLogSource implements GcPauseSender.Source {
    private final long epochOffsetNanos = epochOffsetNanos();
    private final CollectorClient source = open("gc.log");

    private GcLogSource() throws IOException {}

    /**
     * Sends pauses of a GC log, however long the collector is away.
     *
     * @param pauses by start; all pauses of a frame are sent together or not at all
     * @throws IOException with a one-sentence message, if the queue was full
     */
    @Override
    public void send(List<GcLog.Pause> pauses) throws IOException {
      GcLog.encode(
          pauses,
          epochOffsetNanos,
          payload -> source.send(FrameType.GC, payload, FLUSH_TIMEOUT.toMillis()));
    }

    @Override
    public void awaitDurable() throws IOException {
      if (!source.awaitAcknowledged(FLUSH_TIMEOUT.toMillis())) {
        throw new IOException(unacknowledged(source));
      }
    }

    @Override
    public void close() {
      source.close();
    }
  }

  /** Opens another connection, as the source of a GC log. */
  public GcLogSource openGcLog() throws IOException {
    return new GcLogSource();
  }

  private interface Sending {
    void send(CollectorClient source, long epochOffsetNanos) throws IOException;
  }

  private void sendAs(String name, Sending sending) throws IOException {
    try (CollectorClient source = open(name)) {
      sending.send(source, epochOffsetNanos());
      if (!source.awaitAcknowledged(FLUSH_TIMEOUT.toMillis())) {
        throw new IOException(unacknowledged(source));
      }
    }
  }

  private static long epochOffsetNanos() {
    return System.currentTimeMillis() * 1_000_000 - System.nanoTime();
  }

  private CollectorClient open(String name) throws IOException {
    ClientOptions options =
        access
            .client(address.getHostString(), address.getPort())
            .source(UUID.randomUUID())
            .sourceKind(Hello.LOG)
            .sourceName(name)
            .runId(welcome.runId())
            .runName(welcome.runFolder())
            .attribute(Hello.BOOT_ID, HostBoot.ID)
            .build();
    return CollectorClient.open(options);
  }

  /**
   * Closes the run; returns when the collector has sealed it.
   *
   * @param onDelay gets, once, the reason of a possibly long delay, such as a full disk
   * @throws IOException with a one-sentence message, if the delay was too long, or the collector
   *     rejects this job
   */
  public void closeRun(Consumer<String> onDelay) throws IOException {
    client.send(
        FrameType.CLOSE_RUN, new CloseRun(welcome.runId()).encode(), FLUSH_TIMEOUT.toMillis());
    long endNanos = System.nanoTime() + SEAL_TIMEOUT.toNanos();
    boolean reported = false;
    while (true) {
      Delivery arrival = client.awaitDelivery(ERROR_POLL_INTERVAL.toMillis());
      if (arrival == Delivery.ACKNOWLEDGED) {
        return;
      }
      if (arrival == Delivery.FAILED || System.nanoTime() - endNanos >= 0) {
        throw new IOException(unacknowledged(client));
      }
      String error = client.status().lastError();
      if (!reported && !error.isEmpty()) {
        reported = true;
        onDelay.accept(
            "Waiting up to "
                + SEAL_TIMEOUT.toMinutes()
                + " minutes for the collector to seal the run: "
                + error);
      }
    }
  }

  private String unacknowledged(CollectorClient sender) {
    String error = sender.status().lastError();
    return "the collector at "
        + hostAndPort()
        + " does not acknowledge"
        + (error.isEmpty() ? " and gives no reason; see its log" : " (" + error + ")");
  }

  @Override
  public void close() {
    client.close();
  }
}
