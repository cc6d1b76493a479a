package org.fedometer.cli.option;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.fedometer.experiments.collect.CollectorAccess;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.experiments.job.StoreHint;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Destination of samples: a named collector, or one in the background. */
public final class CollectorChoice {
  @Option(
      names = "--collector",
      paramLabel = "H:P",
      converter = HostPort.class,
      description = "Collector to send to (default: one in the background on loopback).")
  private InetSocketAddress address;

  @Mixin private AccessOptions access;

  /** Returns null for one in the background. */
  public InetSocketAddress address() {
    return address;
  }

  /**
   * Returns the options to read what was sent: {@code --from} or {@code --store} with a leading
   * space, or empty.
   *
   * @param store the store whose background collector is used unless one is named
   */
  public String hintTo(Path store) {
    return address == null
        ? StoreHint.of(store)
        : " --from " + ShellWord.of(HostPort.text(address)) + access.hint();
  }

  /**
   * Returns the destination of a job, by default the store's own collector; reads the files.
   *
   * @throws IllegalArgumentException if a file is unusable
   */
  public CollectorTarget place(Path store, Installation installation) {
    return new CollectorTarget(store, address, access(), installation.backgroundCollector(store));
  }

  /**
   * Returns the destination if the address is a Log4j2 receiver's.
   *
   * @throws IllegalArgumentException if the address is missing, or an option does not apply to a
   *     receiver
   */
  public CollectorTarget receiver(Path store, Installation installation) {
    return new CollectorTarget(
        store, address, accessToReceiver(), installation.backgroundCollector(store));
  }

  private CollectorAccess access() {
    if (address == null) {
      access.rejectTls("--collector");
    }
    requirePort();
    return access.access();
  }

  /**
   * Returns the access to a Log4j2 receiver; reads the files.
   *
   * @throws IllegalArgumentException if the address is missing, or an option does not apply to a
   *     receiver
   */
  public CollectorAccess accessToReceiver() {
    if (address == null) {
      throw new IllegalArgumentException(
          "--transport log4j2 needs --collector H:P, the address of the receiver");
    }
    return access.receiverAccess();
  }

  /**
   * Rejects port 0, which means any port only for listening.
   *
   * @throws IllegalArgumentException if it is 0
   */
  public void requirePort() {
    if (address != null && address.getPort() == 0) {
      throw new IllegalArgumentException(
          "--collector "
              + address.getHostString()
              + ":0: cannot connect to port 0; give a port of 1 to 65535");
    }
  }
}
