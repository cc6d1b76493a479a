package org.fedometer.collector;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.fedometer.collector.influx.InfluxTarget;
import org.fedometer.collector.journal.JournalOptions;
import org.fedometer.collector.receive.TlsFiles;

/**
 * Where a collector listens and stores.
 *
 * @param listen port 0 for a free one
 * @param storeDirectory made if it does not exist
 * @param idleExit how long after its last connection the collector ends by itself, or null to stay
 * @param firstConnectionGrace with {@code idleExit}: how long it waits for the first one
 * @param rollupInterval how often the rollups of what is not sealed yet are written
 * @param retention when runs are deleted
 * @param journal how frames are made durable
 * @param tls what the collector proves with who it is, or null to take plain connections
 * @param influx where points go to as well, or null
 * @param http where those who ask by HTTP are listened to, or null; port 0 for a free one
 */
public record CollectorOptions(
    InetSocketAddress listen,
    Path storeDirectory,
    Duration idleExit,
    Duration firstConnectionGrace,
    Duration rollupInterval,
    Retention retention,
    JournalOptions journal,
    TlsFiles tls,
    InfluxTarget influx,
    InetSocketAddress http) {

  /** What {@code fedometer collect} uses: stays until it is stopped. */
  public static CollectorOptions foreground(InetSocketAddress listen, Path storeDirectory) {
    return new CollectorOptions(
        listen,
        storeDirectory,
        null,
        Duration.ofSeconds(60),
        Duration.ofSeconds(10),
        Retention.FOREVER,
        JournalOptions.defaults(),
        null,
        null,
        null);
  }

  /** What {@code fedometer collect --background} uses: ends 5 s after its last connection. */
  public static CollectorOptions background(InetSocketAddress listen, Path storeDirectory) {
    return foreground(listen, storeDirectory)
        .withIdleExit(Duration.ofSeconds(5), Duration.ofSeconds(60));
  }

  public CollectorOptions withJournal(JournalOptions value) {
    return new CollectorOptions(
        listen,
        storeDirectory,
        idleExit,
        firstConnectionGrace,
        rollupInterval,
        retention,
        value,
        tls,
        influx,
        http);
  }

  public CollectorOptions withIdleExit(Duration idle, Duration grace) {
    return new CollectorOptions(
        listen, storeDirectory, idle, grace, rollupInterval, retention, journal, tls, influx, http);
  }

  public CollectorOptions withRollupInterval(Duration value) {
    return new CollectorOptions(
        listen,
        storeDirectory,
        idleExit,
        firstConnectionGrace,
        value,
        retention,
        journal,
        tls,
        influx,
        http);
  }

  public CollectorOptions withRetention(Retention value) {
    return new CollectorOptions(
        listen,
        storeDirectory,
        idleExit,
        firstConnectionGrace,
        rollupInterval,
        value,
        journal,
        tls,
        influx,
        http);
  }

  /** Takes TLS connections only; null for plain ones. */
  public CollectorOptions withTls(TlsFiles value) {
    return new CollectorOptions(
        listen,
        storeDirectory,
        idleExit,
        firstConnectionGrace,
        rollupInterval,
        retention,
        journal,
        value,
        influx,
        http);
  }

  /** Sends points there, too; null for nowhere. */
  public CollectorOptions withInflux(InfluxTarget value) {
    return new CollectorOptions(
        listen,
        storeDirectory,
        idleExit,
        firstConnectionGrace,
        rollupInterval,
        retention,
        journal,
        tls,
        value,
        http);
  }

  /** Answers by HTTP, too; null for nowhere. */
  public CollectorOptions withHttp(InetSocketAddress value) {
    return new CollectorOptions(
        listen,
        storeDirectory,
        idleExit,
        firstConnectionGrace,
        rollupInterval,
        retention,
        journal,
        tls,
        influx,
        value);
  }
}
