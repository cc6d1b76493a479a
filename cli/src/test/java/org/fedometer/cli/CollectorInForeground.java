package org.fedometer.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A collector in the foreground that a test can stop, kill and start again, on the port and with
 * the store that it has always had. For one thread.
 */
final class CollectorInForeground implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1:";

  private final Fedometer fedometer;
  private final List<String> options;
  private int port;
  private Fedometer.Call latest;

  /**
   * Starts it on a free port.
   *
   * @param fedometer whose store it has
   * @param options of {@code collect}
   */
  CollectorInForeground(Fedometer fedometer, String... options) throws IOException {
    this.fedometer = fedometer;
    this.options = List.of(options);
    start();
  }

  /** Returns when it listens. */
  void start() throws IOException {
    List<String> arguments = new ArrayList<>(List.of("collect", "--listen", LOOPBACK + port));
    arguments.addAll(options);
    latest = fedometer.startWithStore(arguments.toArray(String[]::new));
    String address = latest.address();
    port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /** With its store. */
  Fedometer fedometer() {
    return fedometer;
  }

  int port() {
    return port;
  }

  String address() {
    return LOOPBACK + port;
  }

  /** Returns its output since its last start. */
  String err() {
    return latest.err();
  }

  /** The one that was last started. */
  Process process() {
    return latest.process();
  }

  /** {@code kill -9}. */
  void kill() throws InterruptedException {
    latest.process().destroyForcibly().waitFor();
  }

  /** {@code STOP} makes it stand still, {@code CONT} makes it go on. */
  void signal(String signal) throws Exception {
    latest.signal(signal);
  }

  /** In good order: afterwards all that was sent is sealed. */
  void stop() throws InterruptedException {
    latest.process().destroy();
    latest.await(Site.TIMEOUT);
  }

  /** Ends the one of a test that failed. */
  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
