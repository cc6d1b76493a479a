package org.fedometer.cli.dataset;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.Parameter;
import org.fedometer.datasets.catalogue.Datasets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "list",
    description = "List datasets and their parameters.",
    footerHeading = Headings.EXAMPLES,
    footer = {"  fedometer dataset list", "  fedometer dataset list --json"},
    mixinStandardHelpOptions = true)
public final class DatasetListCommand implements Callable<Integer> {
  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    List<DatasetKind> kinds = Datasets.kinds();
    StandardOutput.jsonOrText(
        json, kinds.stream().map(DatasetListCommand::asJson).toList(), out -> print(kinds, out));
    return ExitCode.DONE;
  }

  private static void print(List<DatasetKind> kinds, PrintStream out) {
    PlainTable.uncut(kinds)
        .left("DATASET", DatasetKind::name)
        .left("DESCRIPTION", DatasetKind::description)
        .print(out);
    out.println();
    List<List<String>> rows = new ArrayList<>();
    for (DatasetKind kind : kinds) {
      for (Parameter<?> parameter : kind.parameters()) {
        rows.add(
            List.of(
                kind.name(),
                parameter.name(),
                parameter.values(),
                defaultOf(parameter),
                parameter.meaning()));
      }
    }
    PlainTable.uncut(rows, "DATASET", "PARAMETER", "VALUES", "DEFAULT", "DESCRIPTION").print(out);
    out.println();
    out.println("--dataset takes NAME[:key=value,...]; a bare value is the first parameter's.");
  }

  static Map<String, Object> asJson(DatasetKind kind) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("name", kind.name());
    all.put("description", kind.description());
    all.put("parameters", kind.parameters().stream().map(DatasetListCommand::asJson).toList());
    all.put("page", DatasetKind.PAGE);
    return all;
  }

  private static Map<String, String> asJson(Parameter<?> parameter) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("name", parameter.name());
    all.put("values", parameter.values());
    all.put("default", parameter.standard().orElse(null));
    all.put("description", parameter.meaning());
    return all;
  }

  static String defaultOf(Parameter<?> parameter) {
    return parameter.standard().orElse("-");
  }
}
