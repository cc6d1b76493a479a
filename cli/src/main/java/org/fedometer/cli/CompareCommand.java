package org.fedometer.cli;

import java.util.concurrent.Callable;
import org.fedometer.analysis.JsonComparison;
import org.fedometer.analysis.RunComparison;
import org.fedometer.analysis.TextComparison;
import org.fedometer.analysis.TextStyle;
import org.fedometer.store.StoreView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fedometer compare RUN RUN}: two runs side by side. */
@Command(
    name = "compare",
    description =
        "Shows in what two runs differ, in the profile and in anything else, and how fast each was.",
    mixinStandardHelpOptions = true)
final class CompareCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "RUN",
      description = "A run's name, or the path of its folder.")
  private String first;

  @Parameters(index = "1", paramLabel = "RUN", description = "The run to compare with it.")
  private String second;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Mixin private StoreChoice store;

  @Override
  public Integer call() throws Exception {
    StoreView view = store.view();
    RunComparison comparison = RunComparison.of(view.run(first), view.run(second));
    if (json) {
      StandardOutput.json(JsonComparison.of(comparison));
    } else {
      StandardOutput.text(
          TextComparison.of(
              comparison,
              TextStyle.of(Terminal.columns(), Terminal.outputCharset(), Terminal.colour())));
    }
    return ExitCode.DONE;
  }
}
