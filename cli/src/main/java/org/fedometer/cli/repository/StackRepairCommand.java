package org.fedometer.cli.repository;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.cli.terminal.CtrlC;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainErrors;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.profiles.stack.HomeFindings;
import org.fedometer.profiles.stack.HomeScan;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.repair.Finding;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "repair",
    description = {
      "Repair what a crash has left inconsistent in a stack's home.",
      "Finds orphaned rows, content and triples, unregistered objects, and broken files."
          + " Fedora must be down. What is removed is kept in DIR/repair-TIME."
    },
    exitCodeListHeading = Headings.EXIT_CODES,
    exitCodeList = {
      "0:no inconsistencies, or all repaired",
      "1:unresolved inconsistencies; with --dry-run, any",
      "2:bad usage",
      "3:Fedora runs, or the home could not be read"
    },
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer stack repair --home ~/fedora --dry-run",
      "  fedometer stack repair --home ~/fedora --pids-file failed-pids.txt"
    },
    mixinStandardHelpOptions = true)
public final class StackRepairCommand implements Callable<Integer> {
  @Option(
      names = "--home",
      paramLabel = "DIR",
      required = true,
      description = "Home folder of the stack.")
  private Path home;

  @Option(
      names = "--pid",
      paramLabel = "PID",
      description = "Check this object only. Repeatable (default: all objects).")
  private List<String> pids = List.of();

  @Option(
      names = "--pids-file",
      paramLabel = "FILE",
      description = "Check only the objects with the PIDs in this file, one a line.")
  private Path pidsFile;

  @Option(names = "--dry-run", description = "Report inconsistencies; change nothing.")
  private boolean dryRun;

  @Option(
      names = "--delete-unregistered",
      description = "Delete objects that Fedora has not registered (default: register them).")
  private boolean deleteUnregistered;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    List<String> selected = selectedPids();
    Stack stack = HomeStack.in(home);
    HomeScan scan = selected.isEmpty() ? HomeScan.of(stack) : HomeScan.of(stack).only(selected);
    try (CtrlC ignored = CtrlC.register(() -> stop(stack))) {
      HomeFindings findings =
          dryRun
              ? scan.check(ProvisioningListener.SILENT, this::progress)
              : scan.repair(deleteUnregistered, ProvisioningListener.SILENT, this::progress);
      print(stack, findings);
      return findings.isConsistent() ? ExitCode.DONE : ExitCode.DONE_WITH_ERRORS;
    }
  }

  /** Returns the PIDs of the objects to check; empty for all. */
  private List<String> selectedPids() throws IOException {
    List<String> selected = new ArrayList<>(pids);
    if (pidsFile != null) {
      if (!Files.isRegularFile(pidsFile)) {
        throw new IllegalArgumentException("--pids-file " + pidsFile + " is not a regular file");
      }
      try {
        Files.readAllLines(pidsFile).stream()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .forEach(selected::add);
      } catch (CharacterCodingException e) {
        throw new IllegalArgumentException("--pids-file " + pidsFile + " is not UTF-8", e);
      }
      if (selected.isEmpty()) {
        throw new IllegalArgumentException("--pids-file " + pidsFile + " names no PID");
      }
    }
    return selected;
  }

  private void stop(Stack stack) {
    try {
      stack.stop();
    } catch (IOException e) {
      spec.commandLine().getErr().println("fedometer: " + PlainErrors.message(e));
    }
  }

  private void progress(String text) {
    spec.commandLine().getErr().println("repair     " + SafeLine.of(text));
  }

  private void print(Stack stack, HomeFindings findings) throws IOException {
    if (json) {
      StandardOutput.asJson(document(stack, findings));
      return;
    }
    if (!findings.findings().isEmpty()) {
      PlainTable.uncut(findings.findings())
          .left("INCONSISTENCY", finding -> finding.inconsistency().id())
          .left("PID", finding -> finding.pid().isEmpty() ? "-" : finding.pid())
          .left("STATE", StackRepairCommand::state)
          .left("DESCRIPTION", Finding::text)
          .print(System.out);
      System.out.println();
    }
    findings.notes().forEach(note -> System.out.println("note: " + SafeLine.of(note)));
    System.out.println(
        NumberFormats.count(findings.counts().get("objects"), "object") + ", " + verdict(findings));
    findings.copies().ifPresent(folder -> System.out.println("what was removed is in " + folder));
  }

  private String verdict(HomeFindings findings) {
    long unrepaired = findings.findings().stream().filter(StackRepairCommand::isUnrepaired).count();
    long repairable = findings.findings().size() - unrepaired;
    if (findings.findings().isEmpty()) {
      return "no inconsistencies";
    }
    return "inconsistencies: "
        + NumberFormats.count(repairable)
        + (dryRun ? " repairable, " : " repaired, ")
        + NumberFormats.count(unrepaired)
        + " unresolved";
  }

  private static boolean isUnrepaired(Finding finding) {
    return finding.state() == Finding.State.UNRESOLVED;
  }

  private static String state(Finding finding) {
    return finding.state().name().toLowerCase(Locale.ROOT);
  }

  private ObjectNode document(Stack stack, HomeFindings findings) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("home", stack.home().toString());
    document.put("dryRun", dryRun);
    document.put("consistent", findings.isConsistent());
    for (Map.Entry<String, Long> count : new TreeMap<>(findings.counts()).entrySet()) {
      document.put(count.getKey(), count.getValue());
    }
    ArrayNode array = document.putArray("findings");
    for (Finding finding : findings.findings()) {
      array
          .addObject()
          .put("inconsistency", finding.inconsistency().id())
          .put("pid", finding.pid())
          .put("state", state(finding))
          .put("text", finding.text());
    }
    ArrayNode notes = document.putArray("notes");
    findings.notes().forEach(notes::add);
    document.put("backup", findings.copies().map(Path::toString).orElse(null));
    return document;
  }
}
