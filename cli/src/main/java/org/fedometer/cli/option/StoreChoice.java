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

/** Which store a command asks: a folder of this machine, or a collector's. */
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
   * The store to be asked; of a collector's nothing is asked yet.
   *
   * @throws IllegalArgumentException in words for the user: the options do not go together, or a
   *     folder or file that one of them names is of no use
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

  /** What another command needs to ask the same store, with a blank first; or nothing. */
  public String hint() {
    return from == null
        ? StoreHint.of(folder.directory())
        : " --from " + ShellWord.of(HostPort.text(from)) + access.hint();
  }

  public boolean isRemote() {
    return from != null;
  }

  /** The folder of this machine, also where the question goes elsewhere. */
  public RunStore local() {
    return folder.existing();
  }
}
