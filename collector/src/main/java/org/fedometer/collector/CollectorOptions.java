package org.fedometer.collector;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.fedometer.collector.influx.InfluxTarget;
import org.fedometer.collector.journal.JournalOptions;
import org.fedometer.collector.receive.Doors;
import org.fedometer.collector.receive.TlsFiles;

/** Where a collector listens and stores, and for whom. Immutable. */
public final class CollectorOptions {
  private InetSocketAddress listen;
  private Path storeDirectory;
  private Duration idleExit;
  private Duration firstConnectionGrace = Duration.ofSeconds(60);
  private Duration rollupInterval = Duration.ofSeconds(10);
  private Retention retention = Retention.FOREVER;
  private JournalOptions journal = JournalOptions.defaults();
  private TlsFiles tls;
  private Doors doors = Doors.standard();
  private InfluxTarget influx;
  private InetSocketAddress http;

  private CollectorOptions() {}

  /** Stays until it is stopped. */
  public static CollectorOptions foreground(InetSocketAddress listen, Path storeDirectory) {
    CollectorOptions options = new CollectorOptions();
    options.listen = listen;
    options.storeDirectory = storeDirectory;
    return options;
  }

  /** Ends 5 s after its last connection, and answers by HTTP at a free loopback port. */
  public static CollectorOptions background(InetSocketAddress listen, Path storeDirectory) {
    return foreground(listen, storeDirectory)
        .withIdleExit(Duration.ofSeconds(5), Duration.ofSeconds(60))
        .withHttp(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  /** Port 0 for the one that the store's last collector had, or a free one if that is taken. */
  public InetSocketAddress listen() {
    return listen;
  }

  /** Is made if it does not exist. */
  public Path storeDirectory() {
    return storeDirectory;
  }

  /** How long after its last connection the collector ends by itself, or null to stay. */
  public Duration idleExit() {
    return idleExit;
  }

  /** With {@link #idleExit()}: how long it waits for the first connection. */
  public Duration firstConnectionGrace() {
    return firstConnectionGrace;
  }

  public CollectorOptions withIdleExit(Duration idle, Duration grace) {
    return with(
        copy -> {
          copy.idleExit = idle;
          copy.firstConnectionGrace = grace;
        });
  }

  /** How often the rollups of what is not sealed yet are written. */
  Duration rollupInterval() {
    return rollupInterval;
  }

  CollectorOptions withRollupInterval(Duration value) {
    return with(copy -> copy.rollupInterval = value);
  }

  public Retention retention() {
    return retention;
  }

  public CollectorOptions withRetention(Retention value) {
    return with(copy -> copy.retention = value);
  }

  public JournalOptions journal() {
    return journal;
  }

  public CollectorOptions withJournal(JournalOptions value) {
    return with(copy -> copy.journal = value);
  }

  /** What the collector proves with who it is, or null to take plain connections. */
  public TlsFiles tls() {
    return tls;
  }

  public CollectorOptions withTls(TlsFiles value) {
    return with(copy -> copy.tls = value);
  }

  public Doors doors() {
    return doors;
  }

  public CollectorOptions withDoors(Doors value) {
    return with(copy -> copy.doors = value);
  }

  /** Where points go to as well, or null. */
  public InfluxTarget influx() {
    return influx;
  }

  public CollectorOptions withInflux(InfluxTarget value) {
    return with(copy -> copy.influx = value);
  }

  /** Where those who ask by HTTP are listened to, or null; port 0 for a free one. */
  public InetSocketAddress http() {
    return http;
  }

  public CollectorOptions withHttp(InetSocketAddress value) {
    return with(copy -> copy.http = value);
  }

  private CollectorOptions with(Consumer<CollectorOptions> change) {
    CollectorOptions copy = new CollectorOptions();
    copy.listen = listen;
    copy.storeDirectory = storeDirectory;
    copy.idleExit = idleExit;
    copy.firstConnectionGrace = firstConnectionGrace;
    copy.rollupInterval = rollupInterval;
    copy.retention = retention;
    copy.journal = journal;
    copy.tls = tls;
    copy.doors = doors;
    copy.influx = influx;
    copy.http = http;
    change.accept(copy);
    return copy;
  }
}
