package org.fedometer.cli.option;

import java.net.InetSocketAddress;
import org.fedometer.experiments.collect.CollectorAccess;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.experiments.job.StoreHint;
import org.fedometer.store.RunStore;
import org.fedometer.store.StoreView;
import org.fedometer.store.remote.RemoteStore;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The store to query: a local folder, or a collector's. */
public final class StoreChoice {
  @Mixin private StoreOption folder;

  @Option(
      names = "--from",
      paramLabel = "H:P",
      converter = HostPort.class,
      description = "Read from the store of this collector.")
  private InetSocketAddress from;

  @Mixin private AccessOptions access;

  /**
   * Returns the store, without contacting a collector yet.
   *
   * @throws IllegalArgumentException if options are incompatible, or a named folder or file is
   *     unusable, with a message for the user
   */
  public StoreView view() {
    if (from == null) {
      access.rejectTls("--from");
      return local();
    }
    if (folder.isGiven()) {
      throw new IllegalArgumentException("give either --store or --from, not both");
    }
    CollectorAccess collectorAccess = access.access();
    return RemoteStore.at(from, collectorAccess.token(), collectorAccess.tlsOrNull());
  }

  /** Returns the options to query the same store, with a leading space; or empty. */
  public String hint() {
    return from == null
        ? StoreHint.of(folder.directory())
        : " --from " + ShellWord.of(HostPort.text(from)) + access.hint();
  }

  public boolean isRemote() {
    return from != null;
  }

  /** Returns the local store, even if queries go to a collector. */
  public RunStore local() {
    return folder.existing();
  }
}
