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
import org.fedometer.analysis.Figures;
import org.fedometer.cli.terminal.CtrlC;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainErrors;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.offline.Finding;
import org.fedometer.profiles.stack.HomeFindings;
import org.fedometer.profiles.stack.HomeScan;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.program.ProvisioningListener;
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
      "0:nothing is wrong, or all is mended",
      "1:something is left, or with --dry-run something is wrong",
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
      description = "The stack's home folder.")
  private Path home;

  @Option(
      names = "--pid",
      paramLabel = "PID",
      description = "Look at this object alone; may be repeated (default: at all there is).")
  private List<String> pids = List.of();

  @Option(
      names = "--pids-file",
      paramLabel = "FILE",
      description = "Look at the objects alone whose PIDs this file has, a line each.")
  private Path pidsFile;

  @Option(names = "--dry-run", description = "Say what is wrong and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--delete-unregistered",
      description =
          "Remove objects of which Fedora does not know (default: make them known to Fedora).")
  private boolean deleteUnregistered;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    List<String> wanted = wanted();
    Stack stack = HomeStack.in(home);
    HomeScan scan = wanted.isEmpty() ? HomeScan.of(stack) : HomeScan.of(stack).only(wanted);
    try (CtrlC ignored = CtrlC.callsUntilClosed(() -> stop(stack))) {
      HomeFindings findings =
          dryRun
              ? scan.look(ProvisioningListener.SILENT, this::progress)
              : scan.mend(deleteUnregistered, ProvisioningListener.SILENT, this::progress);
      print(stack, findings);
      return findings.isWhole() ? ExitCode.DONE : ExitCode.DONE_WITH_ERRORS;
    }
  }

  /** The PIDs of the objects to look at; none for all. */
  private List<String> wanted() throws IOException {
    List<String> wanted = new ArrayList<>(pids);
    if (pidsFile != null) {
      if (!Files.isRegularFile(pidsFile)) {
        throw new IllegalArgumentException("--pids-file " + pidsFile + " is no file");
      }
      try {
        Files.readAllLines(pidsFile).stream()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .forEach(wanted::add);
      } catch (CharacterCodingException e) {
        throw new IllegalArgumentException("--pids-file " + pidsFile + " is not UTF-8", e);
      }
      if (wanted.isEmpty()) {
        throw new IllegalArgumentException("--pids-file " + pidsFile + " names no PID");
      }
    }
    return wanted;
  }

  private void stop(Stack stack) {
    try {
      stack.stop();
    } catch (IOException e) {
      spec.commandLine().getErr().println("fedometer: " + PlainErrors.sentence(e));
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
      PlainTable.whole(findings.findings())
          .left("DAMAGE", finding -> finding.damage().id())
          .left("PID", finding -> finding.pid().isEmpty() ? "-" : finding.pid())
          .left("STATE", StackRepairCommand::state)
          .left("WHAT", Finding::text)
          .print(System.out);
      System.out.println();
    }
    findings.notes().forEach(note -> System.out.println("note: " + SafeLine.of(note)));
    System.out.println(
        Figures.count(findings.counts().get("objects"), "object") + ", " + verdict(findings));
    findings.copies().ifPresent(folder -> System.out.println("what was removed is in " + folder));
  }

  private String verdict(HomeFindings findings) {
    long left = findings.findings().stream().filter(StackRepairCommand::isLeft).count();
    long others = findings.findings().size() - left;
    if (findings.findings().isEmpty()) {
      return "nothing is wrong";
    }
    if (dryRun) {
      return Figures.count(left + others, "thing")
          + (left + others == 1 ? " is" : " are")
          + " wrong, of which 'stack repair' can mend "
          + Figures.count(others);
    }
    String mended =
        Figures.count(others, "thing")
            + (others == 1 ? " was wrong and is mended" : " were wrong and are mended");
    return left == 0
        ? mended
        : mended + ", " + Figures.count(left) + (left == 1 ? " is left" : " are left");
  }

  private static boolean isLeft(Finding finding) {
    return finding.state() == Finding.State.LEFT;
  }

  private static String state(Finding finding) {
    return finding.state().name().toLowerCase(Locale.ROOT);
  }

  private ObjectNode document(Stack stack, HomeFindings findings) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("home", stack.home().toString());
    document.put("dryRun", dryRun);
    document.put("whole", findings.isWhole());
    for (Map.Entry<String, Long> count : new TreeMap<>(findings.counts()).entrySet()) {
      document.put(count.getKey(), count.getValue());
    }
    ArrayNode array = document.putArray("findings");
    for (Finding finding : findings.findings()) {
      array
          .addObject()
          .put("damage", finding.damage().id())
          .put("pid", finding.pid())
          .put("state", state(finding))
          .put("text", finding.text());
    }
    ArrayNode notes = document.putArray("notes");
    findings.notes().forEach(notes::add);
    document.put("copies", findings.copies().map(Path::toString).orElse(null));
    return document;
  }
}
