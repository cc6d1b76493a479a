package org.fedometer.cli.dataset;

import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.bag.BagWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "generate",
    description = "Write objects of a dataset to disk: FOXML files in a BagIt bag.",
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer dataset generate --dataset patents --objects 1000 --output bag",
    mixinStandardHelpOptions = true)
public final class DatasetGenerateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private DatasetChoice dataset;

  @Option(
      names = "--objects",
      paramLabel = "N",
      description = "Number of objects (default: all of a finite dataset).")
  private Long wanted;

  @Option(
      names = "--offset",
      paramLabel = "N",
      defaultValue = "0",
      description = "Index of the first object (default: ${DEFAULT-VALUE}).")
  private long from;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      required = true,
      description = "Folder to write to; must be new or empty.")
  private Path out;

  @Override
  public Integer call() throws Exception {
    if (wanted != null && wanted < 1) {
      throw new ParameterException(spec.commandLine(), "--objects " + wanted + ": give 1 or more");
    }
    if (from < 0) {
      throw new ParameterException(
          spec.commandLine(), "--offset " + from + ": objects count from 0");
    }
    Dataset opened = dataset.open();
    if (wanted == null && opened.size() == Long.MAX_VALUE) {
      throw new ParameterException(
          spec.commandLine(), "--objects is missing: the dataset " + opened.name() + " has no end");
    }
    long objects = wanted != null ? wanted : Math.max(1, opened.size() - from);
    BagWriter.Written written =
        BagWriter.write(opened, from, objects, out, ObjectsProgress.of(objects));
    StandardOutput.text(
        String.format(
            Locale.ROOT,
            "%s, %s, in %s",
            NumberFormats.count(written.objects(), "object"),
            NumberFormats.bytes(written.payloadBytes()),
            out));
    return ExitCode.DONE;
  }
}
