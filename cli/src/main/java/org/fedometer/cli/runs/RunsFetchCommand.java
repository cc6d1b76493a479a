package org.fedometer.cli.runs;

import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.cli.option.AccessOptions;
import org.fedometer.cli.option.HostPort;
import org.fedometer.cli.option.StoreOption;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.experiments.collect.CollectorAccess;
import org.fedometer.store.RunFetch;
import org.fedometer.store.RunState;
import org.fedometer.store.RunSummary;
import org.fedometer.store.remote.RemoteRun;
import org.fedometer.store.remote.RemoteStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "fetch",
    description = {
      "Copy a run from a collector into the local store.",
      "Continues an interrupted copy, and updates a run that was copied before."
    },
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer runs fetch big --from 192.0.2.7:4711 --token-file FILE",
    mixinStandardHelpOptions = true)
public final class RunsFetchCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RUN", description = "Name of the run.")
  private String run;

  @Option(
      names = "--from",
      paramLabel = "H:P",
      required = true,
      converter = HostPort.class,
      description = "Address of the collector.")
  private InetSocketAddress from;

  @Mixin private AccessOptions access;
  @Mixin private StoreOption store;

  @Override
  public Integer call() throws Exception {
    CollectorAccess collectorAccess = access.access();
    RemoteRun remote =
        RemoteStore.at(from, collectorAccess.token(), collectorAccess.tlsOrNull()).run(run);
    RunSummary summary = remote.summary();
    RunFetch.Result result = new RunFetch(remote, summary, store.store()).copy();
    System.out.printf(
        "%s: %s, %s copied; %d were here already%n",
        result.run(),
        NumberFormats.count(result.files(), "file"),
        NumberFormats.bytes(result.bytes()),
        result.unchanged());
    if (RunState.RUNNING.is(summary.state()) || RunState.MONITORING.is(summary.state())) {
      System.out.println("the run is still being written; fetch it again later for the rest");
    } else if (summary.state().equals(RunSummary.UNKNOWN)) {
      System.out.println("the run has no run.json; if it is still being written, fetch it again");
    }
    return ExitCode.DONE;
  }
}
