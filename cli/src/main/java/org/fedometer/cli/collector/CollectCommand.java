package org.fedometer.cli.collector;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.fedometer.cli.option.AgeConverter;
import org.fedometer.cli.option.HostPort;
import org.fedometer.cli.option.InfluxOptions;
import org.fedometer.cli.option.LogFileOptions;
import org.fedometer.cli.option.SizeConverter;
import org.fedometer.cli.option.StoreOption;
import org.fedometer.cli.option.TokenOption;
import org.fedometer.cli.terminal.CtrlC;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainErrors;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;
import org.fedometer.collector.EndpointOptions;
import org.fedometer.collector.LiveOptions;
import org.fedometer.collector.Retention;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "collect",
    description = {
      "Run a collector in the foreground, until Ctrl-C or SIGTERM.",
      "Receives samples of agents and drivers, makes them durable, and seals them into run"
          + " folders."
    },
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer collect --store /data/fedometer --max-age 90d",
      "  fedometer collect --listen 0.0.0.0:4711 --tls-keystore F --token-file F"
    },
    mixinStandardHelpOptions = true)
public final class CollectCommand implements Callable<Integer> {
  @Option(
      names = "--listen",
      paramLabel = "H:P",
      converter = HostPort.class,
      defaultValue = "127.0.0.1:4711",
      description =
          "Address to listen on (default: ${DEFAULT-VALUE}). Port 0: the store's last port,"
              + " or a free one.")
  private InetSocketAddress listen;

  @Option(
      names = "--http",
      paramLabel = "H:P",
      converter = HostPort.class,
      description =
          "Address of the HTTP listener with dashboard, /health and /metrics (default:"
              + " none). Port 0: a free one.")
  private InetSocketAddress http;

  @Option(
      names = "--max-age",
      paramLabel = "AGE",
      converter = AgeConverter.class,
      description =
          "Delete runs that were last written longer ago: 30d, 12h, 8w (default: never)."
              + " Open runs and runs with a file KEEP are kept.")
  private Duration maxAge;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description =
          "Delete the oldest runs while the store is larger: 200g, 1.5t (default: never)."
              + " Open runs and runs with a file KEEP are kept.")
  private Long maxBytes;

  @Option(
      names = "--background",
      hidden = true,
      description = "For other commands: end when no client is connected.")
  private boolean background;

  @Mixin private ListenerOptions listeners;
  @Mixin private InfluxOptions influx;
  @Mixin private LogFileOptions log;
  @Mixin private TokenOption token;
  @Mixin private StoreOption store;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    EndpointOptions endpoints =
        new EndpointOptions(listen, http, listeners.tlsOrNull(), listeners.listeners());
    CollectorOptions options =
        background
            ? CollectorOptions.background(endpoints, store.directory())
            : CollectorOptions.foreground(endpoints, store.directory())
                .withSegmentLog(SegmentLogOptions.defaults().withToken(token.token()));
    options =
        options
            .withRetention(new Retention(maxAge, maxBytes == null ? 0 : maxBytes))
            .withLive(LiveOptions.to(influx.targetOrNull()));
    // Created before the log replaces standard error, for errors at start.
    PrintWriter terminal = spec.commandLine().getErr();
    try {
      // Until the process exits, since shutdown still logs.
      System.setErr(log.open());
      return collect(options);
    } catch (IOException e) {
      terminal.println("fedometer: " + PlainErrors.message(e));
      return ExitCode.COULD_NOT_START;
    }
  }

  private static int collect(CollectorOptions options) throws IOException, InterruptedException {
    CollectorServer server = CollectorServer.start(options);
    try (CtrlC ignored = CtrlC.register(server::close)) {
      // A service manager restarts it depending on the exit code.
      return server.awaitStop() == CollectorServer.StopReason.FAILED
          ? ExitCode.DONE_WITH_ERRORS
          : ExitCode.DONE;
    }
  }
}
