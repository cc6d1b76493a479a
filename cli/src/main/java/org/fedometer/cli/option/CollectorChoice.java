package org.fedometer.cli.option;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.fedometer.experiments.collect.CollectorAccess;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.experiments.job.StoreHint;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where samples are sent: to a collector that a command names, or to one in the background. */
public final class CollectorChoice {
  @Option(
      names = "--collector",
      paramLabel = "H:P",
      converter = HostPort.class,
      description = "Collector to send to (default: one in the background on loopback).")
  private InetSocketAddress address;

  @Mixin private AccessOptions access;

  /** Null for one in the background. */
  public InetSocketAddress address() {
    return address;
  }

  /**
   * What a command that reads needs to find what was sent: {@code --from} or {@code --store} with a
   * blank first, or nothing.
   *
   * @param store whose own collector it was sent to where none is named
   */
  public String hintTo(Path store) {
    return address == null
        ? StoreHint.of(store)
        : " --from " + ShellWord.of(HostPort.text(address)) + access.hint();
  }

  /**
   * Where a job is to send, the store's own collector where none is named; reads the files.
   *
   * @throws IllegalArgumentException one of the files is of no use
   */
  public CollectorTarget place(Path store, Installation installation) {
    return new CollectorTarget(store, address, access(), installation.backgroundCollector(store));
  }

  /**
   * The same where the address is a Log4j2 receiver's.
   *
   * @throws IllegalArgumentException there is no address, or what is no use to a receiver
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
   * What a Log4j2 receiver is shown; reads the files.
   *
   * @throws IllegalArgumentException there is no address, or what is no use to a receiver
   */
  public CollectorAccess accessToReceiver() {
    if (address == null) {
      throw new IllegalArgumentException(
          "--transport log4j2 needs --collector H:P, the address of the receiver");
    }
    return access.receiverAccess();
  }

  /**
   * Where somebody listens, 0 means any port; where somebody is to be found, it means nothing.
   *
   * @throws IllegalArgumentException it is 0
   */
  public void requirePort() {
    if (address != null && address.getPort() == 0) {
      throw new IllegalArgumentException(
          "--collector " + address.getHostString() + ":0 is nowhere; give a port of 1 to 65535");
    }
  }
}
