package org.fedometer.cli.dataset;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fedometer.cli.option.OfferedValues;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.Parameter;
import org.fedometer.datasets.catalogue.Datasets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "datasets",
    description = "Lists datasets and their parameters; 'show' shows one.",
    footerHeading = Headings.EXAMPLES,
    footer = {"  fedometer datasets", "  fedometer datasets show patents"},
    mixinStandardHelpOptions = true,
    subcommands = {DatasetsCommand.ListCommand.class, DatasetsCommand.ShowCommand.class})
public final class DatasetsCommand implements Callable<Integer> {
  @Option(names = "--json", description = "Print a JSON array; of one dataset, a JSON object.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    return list(json);
  }

  private static int list(boolean json) throws Exception {
    List<DatasetKind> kinds = Datasets.kinds();
    StandardOutput.jsonOrText(
        json, kinds.stream().map(DatasetsCommand::asJson).toList(), out -> print(kinds, out));
    return ExitCode.DONE;
  }

  private static void print(List<DatasetKind> kinds, PrintStream out) {
    PlainTable.whole(kinds)
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
                standard(parameter),
                parameter.meaning()));
      }
    }
    PlainTable.whole(rows, "DATASET", "PARAMETER", "VALUES", "DEFAULT", "DECIDES").print(out);
    out.println();
    out.println("--dataset takes NAME[:key=value,...]; a bare value is the first parameter's.");
  }

  private static Map<String, Object> asJson(DatasetKind kind) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("name", kind.name());
    all.put("description", kind.description());
    all.put("parameters", kind.parameters().stream().map(DatasetsCommand::asJson).toList());
    all.put("page", DatasetKind.PAGE);
    return all;
  }

  private static Map<String, String> asJson(Parameter<?> parameter) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("name", parameter.name());
    all.put("values", parameter.values());
    all.put("default", parameter.standard().orElse(null));
    all.put("decides", parameter.meaning());
    return all;
  }

  private static String standard(Parameter<?> parameter) {
    return parameter.standard().orElse("-");
  }

  @Command(
      name = "list",
      description = "Lists datasets and their parameters.",
      footerHeading = Headings.EXAMPLES,
      footer = {"  fedometer datasets list", "  fedometer datasets list --json"},
      mixinStandardHelpOptions = true)
  static final class ListCommand implements Callable<Integer> {
    @ParentCommand private DatasetsCommand command;

    @Option(names = "--json", description = "Print a JSON array.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
      return list(json || command.json);
    }
  }

  @Command(
      name = "show",
      description = "Shows a dataset: what it is, its parameters, and where it is documented.",
      footerHeading = Headings.EXAMPLES,
      footer = "  fedometer datasets show ndltd",
      mixinStandardHelpOptions = true)
  static final class ShowCommand implements Callable<Integer> {
    @ParentCommand private DatasetsCommand command;

    @Parameters(
        paramLabel = "D",
        completionCandidates = OfferedValues.DatasetNames.class,
        description = "A dataset's name.")
    private String name;

    @Option(names = "--json", description = "Print a JSON object.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
      DatasetKind kind = Datasets.kind(name);
      StandardOutput.jsonOrText(json || command.json, asJson(kind), out -> print(kind, out));
      return ExitCode.DONE;
    }

    private static void print(DatasetKind kind, PrintStream out) {
      out.println(kind.name() + ": " + kind.description());
      out.println();
      if (kind.parameters().isEmpty()) {
        out.println("It has no parameters.");
      } else {
        PlainTable.whole(kind.parameters())
            .left("PARAMETER", Parameter::name)
            .left("VALUES", Parameter::values)
            .left("DEFAULT", DatasetsCommand::standard)
            .left("DECIDES", Parameter::meaning)
            .print(out);
      }
      out.println();
      out.println("More is in " + DatasetKind.PAGE + ".");
    }
  }
}
